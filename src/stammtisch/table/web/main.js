// The page: which room is shown for which address, and what all rooms share.

import { html, render, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { Lobby } from "./lobby.js";
import { call } from "./net.js";
import { onPrefs, prefs, setPrefs } from "./prefs.js";
import { Replay } from "./replay.js";
import { RulesPage } from "./rules.js";
import { TableRoom } from "./table.js";
import { loadTexts, t } from "./texts.js";

/** Go to another address without loading the page anew. */
export function go(path) {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

function follow(event) {
  const link = event.target.closest?.("a[href^='/']");
  if (!link || link.target || link.hasAttribute("download") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
}

function Room({ path, offers }) {
  const [, room, id] = path.split("/");
  if (room === "table") return html`<${TableRoom} key=${id} code=${id} offers=${offers} go=${go} />`;
  if (room === "game") return html`<${Replay} key=${id} id=${id} offers=${offers} go=${go} />`;
  if (room === "rules") return html`<${RulesPage} key=${id} name=${id} offers=${offers} />`;
  return html`<${Lobby} offers=${offers} go=${go} />`;
}

function Settings() {
  const toggle = (name) => html`
    <label class="switch">
      <input type="checkbox" data-setting=${name} checked=${prefs[name]} onChange=${(e) => setPrefs({ [name]: e.target.checked })} />
      <span>${t(name)}</span>
    </label>`;
  const box = useRef(null);
  useEffect(() => {
    const close = (event) => {
      const inside = event.type === "pointerdown" && box.current.contains(event.target);
      if (!inside && (event.type === "pointerdown" || event.key === "Escape")) box.current.open = false;
    };
    for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, close);
    return () => ["pointerdown", "keydown"].forEach((name) => document.removeEventListener(name, close));
  }, []);
  return html`
    <details class="settings" ref=${box}>
      <summary aria-label=${t("settings")} title=${t("settings")}>
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M4 7h10M18 7h2M4 17h2M10 17h10M4 12h4M12 12h8" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
          <circle cx="16" cy="7" r="2.2" fill="currentColor" /><circle cx="8" cy="17" r="2.2" fill="currentColor" /><circle cx="10" cy="12" r="2.2" fill="currentColor" />
        </svg>
      </summary>
      <div class="settings-box panel">
        <label>${t("your_name")} <input type="text" maxlength="24" value=${prefs.name} data-name onChange=${(e) => setPrefs({ name: e.target.value.trim() })} /></label>
        <label>${t("theme")}
          <select value=${prefs.theme} onChange=${(e) => setPrefs({ theme: e.target.value })}>
            ${["auto", "light", "dark"].map((one) => html`<option value=${one} selected=${prefs.theme === one}>${t(`theme.${one}`)}</option>`)}
          </select>
        </label>
        ${toggle("motion")} ${toggle("sound")} ${toggle("confirm")}
      </div>
    </details>`;
}

function Header() {
  const other = prefs.lang === "de" ? "en" : "de";
  return html`
    <header class="top">
      <a class="brand" href="/"><img src="/web/icon.svg" alt="" width="34" height="34" /><span>Stammtisch</span></a>
      <span class="grow"></span>
      <button class="plain" data-lang=${other} lang=${other} onClick=${() => setPrefs({ lang: other })}>${other === "de" ? "Deutsch" : "English"}</button>
      <${Settings} />
    </header>`;
}

function App() {
  const [path, setPath] = useState(location.pathname);
  const [offers, setOffers] = useState(null);
  const [, redraw] = useState(0);
  useEffect(() => {
    const moved = () => setPath(location.pathname);
    addEventListener("popstate", moved);
    document.addEventListener("click", follow);
    const stop = onPrefs(async () => {
      await loadTexts();
      redraw((n) => n + 1);
    });
    call("/api/games").then(setOffers);
    return () => {
      removeEventListener("popstate", moved);
      document.removeEventListener("click", follow);
      stop();
    };
  }, []);
  useEffect(() => {
    document.title = "Stammtisch";
  }, [path]);
  return html`<${Header} /><main>${offers ? html`<${Room} path=${path} offers=${offers} />` : html`<p class="loading">…</p>`}</main>`;
}

await loadTexts();
const place = document.getElementById("app");
place.textContent = "";
render(html`<${App} />`, place);
