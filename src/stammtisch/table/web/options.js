// The options of a game as a form, each with a plain explanation.

import { html } from "./vendor/preact-htm.js";
import { t } from "./texts.js";

/** The option that says how many play; it is asked before all others. */
export const playersOption = (offer) => offer.options.find((option) => option.name === "players");

/** How many play by that option: a number, or a letter for each. */
export const playersOf = (offer, options) => {
  const chosen = options.players ?? playersOption(offer).default;
  return typeof chosen === "number" ? chosen : chosen.length;
};

/** What is proposed to so many people, and what of it somebody has changed. */
export const chosenOptions = (offer, options) => ({ ...(playersOption(offer) ? offer.gathered[playersOf(offer, options)] : {}), ...options });

/** The sets of rules as large buttons, each with a sentence. */
export function RuleSets({ offer, say, options, setOptions }) {
  const rules = offer.options.find((option) => option.name === "rules");
  if (!rules || rules.choices.length < 2) return null;
  const current = options.rules ?? rules.default;
  const word = (key) => (say?.has(`option.rules.${key}`) ? say(`option.rules.${key}`) : "");
  return html`
    <fieldset class="rule-sets">
      <legend>${say?.has("option.rules") ? say("option.rules") : "rules"}</legend>
      ${rules.choices.map((one) => html`
        <label class=${one === current ? "on" : ""}>
          <input type="radio" name="rules" data-rule-set=${one} checked=${one === current} onChange=${() => setOptions({ ...options, rules: one })} />
          <b>${word(one) || one}</b><small>${word(`${one}.help`)}</small>
        </label>`)}
    </fieldset>`;
}

function Field({ option, value, change, say }) {
  const word = (one) => (say?.has(`option.${option.name}.${one}`) ? say(`option.${option.name}.${one}`) : String(one));
  const id = `option-${option.name}`;
  if (option.type === "bool")
    return html`<input id=${id} type="checkbox" checked=${value} onChange=${(e) => change(e.target.checked)} />`;
  if (option.choices.length) {
    const all = option.optional ? [null, ...option.choices] : option.choices;
    return html`
      <select id=${id} onChange=${(e) => change(all[e.target.selectedIndex])}>
        ${all.map((one) => html`<option selected=${one === value}>${one === null ? t("usual") : word(one)}</option>`)}
      </select>`;
  }
  const number = option.type === "int" || option.type === "float";
  const read = (text) => (text === "" ? (option.optional ? null : option.default) : number ? Number(text) : text);
  return html`<input id=${id} type=${number ? "number" : "text"} min=${option.low} max=${option.high} value=${value ?? ""} placeholder=${t("none")} onChange=${(e) => change(read(e.target.value))} />`;
}

export function OptionsForm({ offer, say, options, setOptions }) {
  const shown = offer.options.flatMap((option) => {
    if (option.name === "rules" && option.choices.length > 1) return []; // asked before
    if (option.name !== "players") return option.expert ? [] : [option];
    const lineUps = option.choices.filter((one) => one.length === playersOf(offer, options));
    return lineUps.length > 1 ? [{ ...option, choices: lineUps, optional: true, default: null }] : [];
  });
  if (!shown.length) return null;
  const change = (name) => (value) => setOptions({ ...options, [name]: name === "players" ? value ?? playersOf(offer, options) : value });
  const proposed = offer.gathered[playersOption(offer) ? playersOf(offer, options) : 0] ?? {};
  const ruleSet = offer.presets[options.rules ?? offer.options.find((option) => option.name === "rules")?.default] ?? {};
  return html`
    <details class="options">
      <summary>${t("options")}</summary>
      <div class="option-list">
        ${shown.map((option) => {
          const label = say?.has(`option.${option.name}`) ? say(`option.${option.name}`) : option.name;
          const help = say?.has(`option.${option.name}.help`) ? say(`option.${option.name}.help`) : option.help;
          return html`
            <div class="option">
              <label for=${`option-${option.name}`}>${label}</label>
              <${Field} option=${option} value=${option.name in options ? options[option.name] : ruleSet[option.name] ?? proposed[option.name] ?? option.default} change=${change(option.name)} say=${say} />
              <small>${help}</small>
            </div>`;
        })}
      </div>
    </details>`;
}
