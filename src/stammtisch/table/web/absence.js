// People who keep the others waiting: clocks, bots that stand in, and ends before the end.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { t } from "./texts.js";

const CLOCKS = ["off", "relaxed", "quick", "days"];

/** The time that is left for the present decision. */
export function ClockLeft({ until }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (until === null || until === undefined) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [until]);
  if (until === null || until === undefined) return null;
  const seconds = Math.max(0, Math.ceil((until - performance.now()) / 1000));
  const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24;
  const text = days ? t("clock.left.days", { days, hours }) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return html`<span class=${seconds < 10 ? "clock-left soon" : "clock-left"} role="timer" title=${t("clock")}>${text}</span>`;
}

/** What everybody should see at once: that a bot plays for you, that somebody wants to end the game. */
export function Absence({ table, send }) {
  const { you, ending, stage } = table;
  const asks = stage === "playing" && ending.length > 0;
  return html`
    ${you.asleep && html`<div class="chosen-bar panel" role="status"><span>${t("asleep.you")}</span><button class="main" data-awake onClick=${() => send({ type: "back" })}>${t("awake")}</button></div>`}
    ${asks && html`<div class="chosen-bar panel" role="status"><span>${t("ending", { names: ending.join(", ") })}</span>
      ${you.seat !== null && !you.ends && html`<button class="small" data-agree onClick=${() => send({ type: "end" })}>${t("ending.agree")}</button>`}</div>`}`;
}

/** A button that asks once more before it acts. */
function Twice({ label, act, ...more }) {
  const [sure, setSure] = useState(false);
  useEffect(() => {
    const timer = sure && setTimeout(() => setSure(false), 4000);
    return () => clearTimeout(timer);
  }, [sure]);
  return html`<button class="small" ...${more} onClick=${() => (sure ? act() : setSure(true))}>${sure ? t("really", { what: label }) : label}</button>`;
}

/** How long decisions may take, and the ways out of a game. */
export function AtTheTable({ table, send }) {
  const { you, stage, seats } = table;
  const people = seats.filter((one) => one.kind === "person").length;
  const playing = stage === "playing";
  const others = seats.flatMap((one, seat) => (one.kind === "person" && seat !== you.seat ? [{ ...one, seat }] : []));
  if ((you.seat === null && !you.host) || (!playing && others.length === 0)) return null;
  return html`
    <details class="at-the-table">
      <summary>${t("at_the_table")}</summary>
      ${you.host && people > 1 && html`<${Clock} table=${table} send=${send} />`}
      <div class="row">
        ${playing && html`<${Twice} label=${t(people > 1 ? "end.propose" : "end")} data-end act=${() => send({ type: "end" })} />`}
        ${playing && you.seat !== null && people > 1 && html`<${Twice} label=${t("give_up")} data-give-up act=${() => send({ type: "give up" })} />`}
        ${you.host && others.map(({ seat, name }) => html`<${Twice} key=${seat} label=${t("remove", { name })} data-remove=${seat} act=${() => send({ type: "remove", seat })} />`)}
      </div>
    </details>`;
}

export function Clock({ table, send }) {
  return html`
    <label class="row">${t("clock")}
      <select data-clock onChange=${(e) => send({ type: "clock", clock: CLOCKS[e.target.selectedIndex] })}>
        ${CLOCKS.map((one) => html`<option selected=${one === table.clock}>${t(`clock.${one}`)}</option>`)}
      </select>
    </label>`;
}
