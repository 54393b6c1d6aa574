// The rules of a game on one page: as a page of its own, and as a dialog at the table.

import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { prefs } from "./prefs.js";
import { t } from "./texts.js";

async function fetchRules(offer) {
  const names = [prefs.lang, "en"].flatMap((lang) => [`rules.${offer.name}.${lang}.html`, `rules.${lang}.html`]);
  const name = names.find((one) => offer.files.includes(one));
  return name ? (await fetch(`/web/games/${offer.name}/${name}`)).text() : `<p>${t("no_rules")}</p>`;
}

export function Rules({ offer }) {
  const [text, setText] = useState("");
  useEffect(() => {
    fetchRules(offer).then(setText);
  }, [offer, prefs.lang]);
  // our own files, served with the page: never anything that somebody typed
  return html`<article class="rules" dangerouslySetInnerHTML=${{ __html: text }}></article>`;
}

export function RulesDialog({ offer, close }) {
  const box = useRef(null);
  useEffect(() => box.current.showModal(), []);
  return html`
    <dialog ref=${box} class="panel rules-dialog" onClose=${close} onClick=${(event) => event.target === box.current && box.current.close()}>
      <form method="dialog"><button class="plain close" aria-label=${t("close")}>✕</button></form>
      <${Rules} offer=${offer} />
    </dialog>`;
}

export function RulesPage({ name, offers }) {
  const offer = offers.find((one) => one.name === name);
  if (!offer) return html`<p class="loading">${t("refused.unknown_game")}</p>`;
  return html`<div class="panel rules-page"><${Rules} offer=${offer} /></div>`;
}
