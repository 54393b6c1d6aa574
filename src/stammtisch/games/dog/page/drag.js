// Dragging a pin to where it can go; a press without a movement stays a click.

import { useRef, useState } from "/web/vendor/preact-htm.js";
import { otherPin } from "./moves.js";

export function targetPoint(geo, view, seat, key) {
  if (key[0] !== "P") return geo.place(seat, 0, key);
  const other = otherPin(key);
  return geo.place(other.seat, other.pin, view.pins[other.seat][other.pin]);
}

export function useDrag(svg, geo, view, state, { key, begin, drop }) {
  const [grip, setGrip] = useState(null);
  const moved = useRef(false);
  const live = grip?.key === key ? grip : null;

  const point = event => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.current.getScreenCTM().inverse());
  const press = (event, pin) => {
    if (event.button) return;
    const { x, y } = point(event);
    setGrip({ key, pin, x, y, fromX: x, fromY: y, far: false });
  };
  const move = event => {
    if (!live) return;
    const { x, y } = point(event), far = live.far || Math.hypot(x - live.fromX, y - live.fromY) > geo.unit * 0.3;
    if (far && !live.far) {
      moved.current = true;
      svg.current.setPointerCapture(event.pointerId);
      begin(live.pin);
    }
    setGrip({ ...live, x, y, far });
  };
  const release = () => {
    if (!live) return;
    setGrip(null);
    if (!live.far) return;
    let best = null, least = geo.unit * 0.9;
    for (const [target, [use]] of state.targets) {
      const { x, y } = targetPoint(geo, view, use.seat, target), gap = Math.hypot(x - live.x, y - live.y);
      if (gap < least) [best, least] = [target, gap];
    }
    if (best !== null) drop(best);
  };
  return {
    live: live?.far ? live : null,
    press,
    wasDrag: () => moved.current && !(moved.current = false),
    listeners: {
      onPointerDownCapture: () => { moved.current = false; },
      onPointerMove: move,
      onPointerUp: release,
      onPointerCancel: () => setGrip(null),
    },
  };
}
