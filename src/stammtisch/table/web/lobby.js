// The lobby: pick a game, say against whom, play. Below: tables to go on with, and finished games.

import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { Emblem } from "./emblem.js";
import { call } from "./net.js";
import { chosenOptions, OptionsForm, playersOf, playersOption, RuleSets } from "./options.js";
import { points } from "./outcome.js";
import { prefs, setPrefs } from "./prefs.js";
import { RulesDialog } from "./rules.js";
import { gameTexts, has, t } from "./texts.js";

/** The texts of all games, by name. */
export function useGameTexts(offers) {
  const [texts, setTexts] = useState({});
  useEffect(() => {
    let current = true;
    Promise.all(offers.map(async (offer) => [offer.name, await gameTexts(offer)])).then((found) => {
      if (current) setTexts(Object.fromEntries(found));
    });
    return () => (current = false);
  }, [offers, prefs.lang]);
  return texts;
}

const titleOf = (offer, say) => (say?.has("title") ? say("title") : offer.title);

function GameCard({ offer, say, chosen, choose }) {
  return html`
    <button class=${`game-card ${chosen ? "chosen" : ""}`} aria-pressed=${chosen} data-game=${offer.name} onClick=${choose}>
      <${Emblem} offer=${offer} />
      <span class="game-title">${titleOf(offer, say)}</span>
      <span class="game-players">${say?.has("players") ? say("players") : t("so_many_players", { n: [...new Set(offer.seats)].join("–") })}</span>
    </button>`;
}

function Levels({ offer, agent, setAgent }) {
  return html`
    <fieldset class="segments">
      <legend>${t("opponents")}</legend>
      ${offer.levels.map(
        ({ level, agent: one }, stars) => html`
          <label class=${one === agent ? "on" : ""} title=${one}>
            <input type="radio" name="level" data-level=${level} checked=${one === agent} onChange=${() => setAgent(one)} />
            <span>${t(`level.${level}`)}</span><small aria-hidden="true">${"★".repeat(stars + 1)}</small>
          </label>`
      )}
    </fieldset>`;
}

function Players({ offer, options, setOptions }) {
  if (!playersOption(offer)) return null;
  const [low, high] = offer.seats;
  const current = playersOf(offer, options);
  const numbers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return html`
    <fieldset class="segments">
      <legend>${t("how_many")}</legend>
      ${numbers.map(
        (n) => html`
          <label class=${n === current ? "on" : ""}>
            <input type="radio" name="players" data-players=${n} checked=${n === current} onChange=${() => setOptions({ ...options, players: n })} />
            <span>${n}</span>
          </label>`
      )}
    </fieldset>`;
}

function SetUp({ offer, say, go }) {
  const kept = prefs.levels?.[offer.name];
  const [agent, chooseAgent] = useState(offer.levels.some((one) => one.agent === kept) ? kept : offer.usual);
  const setAgent = (one) => {
    chooseAgent(one);
    setPrefs({ levels: { ...prefs.levels, [offer.name]: one } });
  };
  const [options, setOptions] = useState({});
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [rules, setRules] = useState(false);
  const section = useRef(null);
  const begin = async (seats) => {
    const wrong = section.current.querySelector(".option :invalid");
    if (wrong) {
      wrong.closest("details").open = true;
      wrong.reportValidity(); // the browser says it, in the person's language
      return;
    }
    setBusy(true);
    setProblem("");
    const watch = seats === "watch";
    const wish = { game: offer.name, options: chosenOptions(offer, options), seats, agent, name: prefs.name || t("guest"), start: seats !== "friends", hints: seats !== "friends", open: watch };
    try {
      const { code } = await call("/api/tables", wish);
      go(`/table/${code}`);
    } catch (error) {
      const detail = error.message === error.why || prefs.lang !== "en" ? "" : error.message; // the server speaks English
      setProblem(has(`refused.${error.why}`) ? `${t(`refused.${error.why}`)} ${detail}` : error.message);
      setBusy(false);
    }
  };
  const alone = offer.seats[0] === 1 && (options.players ?? 1) === 1;
  return html`
    <section class="set-up panel" ref=${section} aria-label=${titleOf(offer, say)}>
      <div class="set-up-head">
        <div>
          <h2>${titleOf(offer, say)}</h2>
          <p>${say?.has("summary") ? say("summary") : offer.summary}</p>
        </div>
        <button class="plain" onClick=${() => setRules(true)} data-rules>${t("rules")}</button>
      </div>
      <${RuleSets} offer=${offer} say=${say} options=${options} setOptions=${setOptions} />
      <${Players} offer=${offer} options=${options} setOptions=${setOptions} />
      ${!alone && html`<${Levels} offer=${offer} agent=${agent} setAgent=${setAgent} />`}
      <div class="begin">
        <button class="main" disabled=${busy} data-begin="solo" onClick=${() => begin("solo")}>${t(busy ? "getting_ready" : "play")}</button>
        ${!alone && html`<button disabled=${busy} data-begin="friends" onClick=${() => begin("friends")}>${t("with_friends")}</button>`}
        <button disabled=${busy} data-begin="watch" onClick=${() => begin("watch")}>${t("watch")}</button>
      </div>
      ${busy && !offer.ready && html`<p class="muted">${t("first_time")}</p>`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <${OptionsForm} offer=${offer} say=${say} options=${options} setOptions=${setOptions} />
      ${rules && html`<${RulesDialog} offer=${offer} close=${() => setRules(false)} />`}
    </section>`;
}

/** To a table whose code somebody has told. */
function ByCode({ go }) {
  const [code, setCode] = useState("");
  const submit = (event) => {
    event.preventDefault();
    const found = code.trim().toLowerCase();
    if (found) go(`/table/${encodeURIComponent(found)}`);
  };
  return html`<form class="row by-code" onSubmit=${submit}>
    <label class="row">${t("room_code")} <input type="text" maxlength="20" autocapitalize="off" autocomplete="off" size="12" value=${code} data-join-code onInput=${(event) => setCode(event.target.value)} /></label>
    <button>${t("join")}</button>
  </form>`;
}

function Mine({ offers, texts }) {
  const [mine, setMine] = useState(null);
  useEffect(() => {
    call("/api/mine").then(setMine, () => setMine(null));
  }, []);
  if (!mine || (!mine.tables.length && !mine.games.length)) return null;
  const title = (name) => titleOf(offers.find((offer) => offer.name === name) ?? { title: name }, texts[name]);
  const when = (text) => new Date(`${text.replace(" ", "T")}Z`).toLocaleString(prefs.lang, { dateStyle: "medium", timeStyle: "short" });
  return html`
    <section class="mine">
      ${mine.tables.length > 0 &&
      html`<div class="panel"><h2>${t("go_on")}</h2>
        <ul>${mine.tables.map((one) => html`<li><a href=${`/table/${one.code}`}>${title(one.game)}</a> <small>${when(one.touched)}</small></li>`)}</ul></div>`}
      ${mine.games.length > 0 &&
      html`<div class="panel"><h2>${t("finished_games")}</h2>
        <ul>${mine.games.map((one) => html`<li><a href=${`/game/${one.id}`}>${title(one.game)}</a> <small>${one.result?.filter((_, seat) => one.players[seat]).map(points).join(" : ")} · ${when(one.finished)}</small></li>`)}</ul></div>`}
    </section>`;
}

export function Lobby({ offers, go }) {
  const texts = useGameTexts(offers);
  const wished = new URLSearchParams(location.search).get("game");
  const [name, setName] = useState([wished, prefs.game, offers[0].name].find((one) => offers.some((offer) => offer.name === one)));
  const setUp = useRef(null);
  const choose = (one) => {
    setName(one);
    setPrefs({ game: one });
    requestAnimationFrame(() => setUp.current?.scrollIntoView({ block: "nearest", behavior: prefs.motion ? "smooth" : "auto" }));
  };
  const offer = offers.find((one) => one.name === name);
  return html`
    <div class="lobby">
      <h1>${t("welcome")}</h1>
      <p class="muted">${t("pick_a_game")}</p>
      <div class="games">
        ${offers.map(
          (one) => html`<${GameCard} key=${one.name} offer=${one} say=${texts[one.name]} chosen=${one.name === name} choose=${() => choose(one.name)} />`
        )}
      </div>
      <div ref=${setUp}>${offer && html`<${SetUp} key=${offer.name} offer=${offer} say=${texts[offer.name]} go=${go} />`}</div>
      <${ByCode} go=${go} />
      <${Mine} offers=${offers} texts=${texts} />
    </div>`;
}
