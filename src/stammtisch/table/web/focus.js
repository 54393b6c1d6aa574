// The focus of who plays by keyboard, for all boards.

import { useEffect, useRef } from "./vendor/preact-htm.js";

/**
 * Whenever one of `changes` has changed and what had the focus is gone, puts it on the next thing to do: the first of
 * the selectors in `order` that finds something. Gives the listeners that the board's root needs for that.
 */
export function useFocus(root, order, changes) {
  const byKeys = useRef(false);
  useEffect(() => {
    const active = /** @type {HTMLButtonElement | null} */ (document.activeElement);
    const lost = active === document.body || active?.disabled;
    if (!byKeys.current || !lost) return;
    const next = order.map((css) => root.current.querySelector(`:is(${css}):not(:disabled)`)).find(Boolean);
    next?.focus({ preventScroll: true });
  }, changes);
  return { onKeyDownCapture: () => { byKeys.current = true; }, onPointerDownCapture: () => { byKeys.current = false; } };
}
