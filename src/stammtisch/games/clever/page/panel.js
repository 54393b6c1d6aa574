// What is to be done now, in words; the buttons; and the places (or dice) to choose from, with all that they bring.
import { html } from "/web/vendor/preact-htm.js";
import { AREA_OF, DIE_AREA, YELLOW } from "./facts.js";
import { Bonus, Emblem, Face } from "./icons.js";
import { cellName, parse } from "./moves.js";
import { gainWords } from "./sheet.js";

/** The sentence that tells what is to be done. */
export function taskWords({ view, mine, players, t, pick, sources, entries }) {
  const seat = view.player, name = players[seat]?.name ?? "", pending = view.sheets[seat]?.pending ?? [];
  if (!mine) return t(pending.length ? "wait.bonus" : `wait.${view.phase}`, { name, n: view.roll });
  if (pick.cell) return t("task.die_for", { place: cellName(pick.cell, t) });
  if (pending.length) return bonusTask(pick.source, pending, sources, t);
  if (pick.source) return t(`task.place.${DIE_AREA[pick.source]}`, { n: view.dice[pick.source] });
  const solo = view.sheets.length === 1 ? "_solo" : "";
  if (view.options.rules === "prototype") return t(entries.length ? "task.prototype" : "task.nothing");
  if (view.phase === "active") return t(entries.length ? "task.active" : "task.nothing");
  if (view.phase === "passive" && !entries.length) return t("task.tray_nothing");
  if (view.phase === "passive") return t(sources.some((die) => view.place[die] === "tray") ? `task.passive${solo}` : `task.fallback${solo}`);
  return t(entries.length ? "task.extra" : "task.extra_nothing", { n: view.sheets[seat].extras });
}

function bonusTask(source, pending, sources, t) {
  if (source) return t(`task.${source}`);
  return sources.length > 1 ? t("task.bonuses", { n: pending.length }) : t(`task.${pending[0]}`);
}

/** The three rolls of a turn, or which part of it this is. */
export function Phase({ view, players, t }) {
  if (view.options.rules === "prototype") return html`<span class="phase">${t("phase.prototype", { n: view.round })}</span>`;
  if (view.phase === "active" && !view.roll) return html`<span class="phase">${t("phase.round", { n: view.round })}</span>`;
  const whose = view.phase === "passive" && view.sheets.length > 1 ? "phase.tray_of" : `phase.${view.phase}`;
  return html`<span class="phase">${t(whose, { n: view.roll, name: players[view.active]?.name })}</span>`;
}

/** Open bonuses that wait: to choose one of them. */
export function Pending({ sources, pick, marked, onSource, t }) {
  return html`<div class="pending" role="group" aria-label=${t("pending")}>${sources.map((bonus) => html`<button
    type="button" key=${bonus} data-bonus=${bonus} class=${`choice ${pick.source === bonus ? "chosen" : ""} ${marked?.source === bonus ? "marked" : ""}`}
    aria-pressed=${String(pick.source === bonus)} onClick=${() => onSource(bonus)}><${Bonus} bonus=${bonus} t=${t} /><span>${t(`bonus.${bonus}`)}</span></button>`)}</div>`;
}

/** Re-roll, pass, end: as they are among the legal moves. */
export function Actions({ moves, view, marked, send, t }) {
  const words = moves.map((one) => parse(one.move)).filter((move) => !move.cell);
  if (!words.length) return null;
  const store = view.sheets[view.player];
  return html`<div class="actions">${words.map((move) => {
    const key = buttonKey(move, view), text = t(key, { n: store.rerolls, bonus: t(`bonus.${move.source}`) });
    const state = `${marked?.text === move.text ? "marked" : ""} ${words.length === moves.length ? "main" : ""}`;
    return html`<button type="button" key=${move.text} data-move=${move.text} class=${`action ${state}`} title=${t(`${key}.help`)} onClick=${() => send(move.text)}>
      ${move.text === "reroll" && html`<${Bonus} bonus="reroll" t=${t} />`}<span>${text}</span></button>`;
  })}</div>`;
}

function buttonKey(move, view) {
  if (move.kind === "decline") return "button.decline";
  return move.text === "pass" ? `button.pass_${view.phase}` : `button.${move.text}`;
}

/** The ways to complete what is half chosen: the places of a die or bonus, or the dice for a place. */
export function Choices({ options, byDie, lost, dice, onOver, send, t, marked }) {
  const tiny = (die) => html`<span key=${die} class="tiny" role="img" aria-label=${t(`a.${DIE_AREA[die]}`)}><${Face} die=${die} face=${dice[die]} /></span>`;
  const choice = (one) => {
    const name = byDie ? t(`die.${DIE_AREA[one.source]}`) : cellName(one.cell, t), point = () => onOver(one.cell, one.source), leave = () => onOver(null);
    return html`<button type="button" key=${one.text + one.source} class=${`choice ${marked?.text === one.text ? "marked" : ""}`}
      data-choice=${one.text} aria-label=${`${name}, ${gainWords(one.gain, t)}`}
      onClick=${() => send(one.text)} onMouseEnter=${point} onMouseLeave=${leave} onFocus=${point} onBlur=${leave}>
      ${byDie ? html`${tiny(one.source)}<span>${name}</span>` : html`<${Place} cell=${one.cell} number=${one.number} t=${t} />`}
      <${Chain} gain=${one.gain} t=${t} /></button>`;
  };
  return html`<div class="choices">
    ${lost.length > 0 && html`<p class="lost"><span>${t("choices.lost")}</span>${lost.map(tiny)}</p>`}
    <div class="options">${options.map(choice)}</div></div>`;
}

function Place({ cell, number, t }) {
  const area = AREA_OF[cell[0]], n = +cell.slice(1);
  const text = area === "yellow" ? t("choices.row", { n: YELLOW[n], row: Math.floor(n / 4) + 1 }) : area === "blue" ? n : area === "green" ? "" : number;
  return html`<span class=${`swatch area-${area}`}><${Emblem} area=${area} /><span>${t(`area.${area}`)} ${text}</span></span>`;
}

/** Points, then bonus after bonus with what each of them brings in turn. */
function Chain({ gain, t }) {
  const step = ({ bonus, points, lost }, i) => html`<span key=${i} class="step"><i aria-hidden="true">›</i>
    <${Bonus} bonus=${bonus} t=${t} class=${lost ? "lost" : ""} />${points > 0 && html`<b>+${points}</b>`}</span>`;
  const nothing = !gain.points && !gain.steps.length;
  return html`<span class="chain">${gain.points > 0 && html`<b>+${gain.points}</b>`}${nothing && html`<span class="zero">±0</span>`}${gain.steps.map(step)}</span>`;
}
