// A game's board, loaded when it is first needed, with its style and its texts.

import { useEffect, useState } from "./vendor/preact-htm.js";
import { prefs } from "./prefs.js";
import { gameTexts } from "./texts.js";

/** The address of one of a game's files; of ours, where a game has none. */
const fileOf = (offer, name) => (offer.files.includes(name) ? `/web/games/${offer.name}/${name}` : `/web/any/${name}`);

function addStyle(href) {
  if (document.querySelector(`link[href="${href}"]`)) return null;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((resolve) => (link.onload = link.onerror = resolve));
}

/** {Board, say, t} of a game, or null while they are loaded. */
export function useBoard(offer) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    let current = true;
    if (!offer) return undefined;
    Promise.all([import(fileOf(offer, "board.js")), gameTexts(offer), addStyle(fileOf(offer, "board.css"))]).then(([module, t]) => {
      if (current) setFound({ Board: module.Board, say: module.say, t });
    });
    return () => (current = false);
  }, [offer, prefs.lang]);
  return found;
}
