// The dice on the table: the roll, the chosen ones, the tray; how they fall and where they go.
import { html, useLayoutEffect, useRef } from "/web/vendor/preact-htm.js";
import { DICE, DIE_AREA, isPrototype } from "./facts.js";
import { Face } from "./icons.js";

const FIELDS = 3;
const DRAG_FROM = 8; // pixels: less is a click

/**
 * `hand`: what can be done with dice: usable, fitting (those for the chosen place), leaving (would go to the tray), all sets;
 * chosen, marked, moveOf(die) (what a click plays, or null), onDie(die), onPeek(die or null), onLift(die), onDrop(die, element).
 */
export function Table({ view, last, animate, hand, t }) {
  const ref = useRef(null);
  useMotion(ref, view, last, animate);
  const at = (...places) => DICE.filter((die) => places.includes(view.place[die]));
  const dice = (found) => found.map((die) => html`<${Die} key=${die} die=${die} view=${view} hand=${hand} t=${t} />`);
  const fields = at("field"), aside = at("aside").length > 0, own = !isPrototype(view) && !aside;
  const free = Array.from({ length: FIELDS }, (_, i) => i + 1).slice(fields.length);
  const empty = free.map((n) => html`<span key=${n} class="place" aria-hidden="true"><i>${n}</i></span>`);
  return html`<div class=${`felt ${at("pool", "aside").length ? "" : "no-pool"}`} ref=${ref}>
    <div class="zone pool"><h4>${t(aside ? "zone.aside" : "zone.pool")}</h4><div class="row">${dice(at("pool", "aside"))}</div></div>
    ${own && html`<div class="zone fields"><h4>${t("zone.field")}</h4><div class="row">${dice(fields)}${empty}</div></div>`}
    ${!isPrototype(view) && html`<div class=${`zone tray ${own ? "" : "wide"} ${hand.leaving.size ? "awaits" : ""}`}>
      <h4>${t("zone.tray")}</h4><div class="row">${dice(at("tray"))}</div></div>`}
  </div>`;
}

function Die({ die, view, hand, t }) {
  const waits = view.phase === "active" && view.roll === 0;
  const usable = hand.usable.has(die), leaving = hand.leaving.has(die), used = view.extra_used.includes(die);
  const face = waits ? null : view.dice[die];
  const dull = hand.active && !hand.fitting.has(die) && (view.phase !== "active" || view.place[die] === "pool");
  const name = t(`die.${DIE_AREA[die]}`), long = t(`a.${DIE_AREA[die]}`);
  const classes = ["die", usable && "usable", dull && "dull", hand.chosen === die && "chosen", leaving && "leaving",
    hand.marked === die && "marked", used && "used"].filter(Boolean).join(" ");
  const words = [waits ? t("die.waits", { die: long }) : `${long}, ${face}`, leaving && t("die.leaving"), used && t("die.used")];
  return html`<button type="button" class=${classes} disabled=${!usable} data-die=${die} data-move=${hand.moveOf(die)}
    style=${{ "--tilt": `${((face ?? 0) * 5 + DICE.indexOf(die) * 3) % 7 - 3}deg` }}
    aria-label=${words.filter(Boolean).join(", ")} aria-pressed=${usable ? String(hand.chosen === die) : null}
    onClick=${() => usable && hand.onDie(die)} onMouseEnter=${() => usable && hand.onPeek(die)} onMouseLeave=${() => hand.onPeek(null)}
    onFocus=${() => usable && hand.onPeek(die)} onBlur=${() => hand.onPeek(null)}
    onPointerDown=${(event) => usable && drag(event, die, hand)}>
    <${Face} die=${die} face=${face} /><span class="caption">${leaving ? t("die.to_tray") : name}</span></button>`;
}

/** Carry a die to a cell; a short press stays a click. */
function drag(down, die, hand) {
  if (down.button !== 0) return;
  const button = down.currentTarget, face = button.querySelector(".face");
  let carried = false;
  const move = (event) => {
    const dx = event.clientX - down.clientX, dy = event.clientY - down.clientY;
    if (!carried && Math.hypot(dx, dy) < DRAG_FROM) return;
    if (!carried) {
      carried = true;
      hand.onLift(die);
      button.dataset.carried = "";
    }
    face.style.transform = `translate(${dx}px, ${dy}px) scale(1.1)`;
  };
  const end = (event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!carried) return;
    face.style.transform = "";
    delete button.dataset.carried;
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
    if (event.type === "pointerup") hand.onDrop(die, document.elementFromPoint(event.clientX, event.clientY));
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

/** What changes exactly when dice are rolled, apart from re-rolls. */
const rollOf = (view) => [view.round, view.active, view.roll, view.sheets.length === 1 && view.phase.startsWith("passive")].join();

/** Dice that were rolled fall on the table; dice that were chosen or lost slide to their new place. */
function useMotion(ref, view, last, animate) {
  const before = useRef(null);
  useLayoutEffect(() => {
    const box = ref.current.getBoundingClientRect(), quick = parseFloat(getComputedStyle(ref.current).getPropertyValue("--quick")) || 0;
    const now = { roll: rollOf(view), n: last?.n ?? 0, at: {} }, old = before.current;
    const rolled = old && (old.roll !== now.roll || (old.n !== now.n && last?.move === "reroll"));
    ref.current.querySelectorAll("[data-die]").forEach((button, i) => {
      const die = button.dataset.die, spot = button.getBoundingClientRect();
      now.at[die] = [spot.left - box.left, spot.top - box.top];
      if (!old || !animate || !quick || !button.animate) return;
      const from = old.at[die], falls = rolled && ["pool", "aside"].includes(view.place[die]) || rolled && now.roll.endsWith("true");
      if (falls) fall(button.querySelector(".face"), i, quick);
      else if (from) slide(button, from[0] - now.at[die][0], from[1] - now.at[die][1], quick);
    });
    before.current = now;
  }, [JSON.stringify([view.dice, view.place, view.round, view.phase, view.roll, view.active]), last?.n]);
}

function fall(face, i, quick) {
  const turn = i % 2 ? 200 : -160;
  face.animate([
    { transform: `translate(${6 - 3 * i}px, -70px) rotate(${turn}deg) scale(1.25)`, opacity: 0 },
    { transform: `translate(0, 3px) rotate(${-turn / 12}deg) scale(0.97)`, opacity: 1, offset: 0.7 },
    { transform: "rotate(var(--tilt))", opacity: 1 },
  ], { duration: 1.8 * quick, delay: (i * quick) / 8, easing: "cubic-bezier(0.3, 0.1, 0.4, 1)", fill: "backwards" });
}

function slide(button, dx, dy, quick) {
  if (Math.abs(dx) + Math.abs(dy) < 2) return;
  button.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 1.3 * quick, easing: "ease-out" });
}
