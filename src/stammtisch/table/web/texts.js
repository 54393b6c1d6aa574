// Texts in the viewer's language: of the page (lang/), and of each game (its folder page/).

import { prefs } from "./prefs.js";

const loaded = new Map();

async function load(path) {
  if (!loaded.has(path)) loaded.set(path, (await fetch(path)).json());
  return loaded.get(path);
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values?.[name] ?? whole);

let page = {};

/** Load the page's texts; call again when the language changes. */
export async function loadTexts() {
  page = await load(`/web/lang/${prefs.lang}.json`);
}

/** A text of the page; a missing key comes back as it is. */
export const t = (key, values) => fill(page[key] ?? key, values);

export const has = (key) => key in page;

/** The texts of a game: a function like t, which looks for "<game>.<key>" first. */
export async function gameTexts(offer) {
  const name = [`${prefs.lang}.json`, "en.json"].find((one) => offer.files.includes(one));
  const texts = name ? await load(`/web/games/${offer.name}/${name}`) : {};
  const find = (key) => texts[`${offer.name}.${key}`] ?? texts[key];
  const say = (key, values) => fill(find(key) ?? key, values);
  say.has = (key) => find(key) !== undefined;
  return say;
}
