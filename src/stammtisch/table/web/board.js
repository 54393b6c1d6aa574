// A game's board, loaded when it is first needed, with its style and its texts. What it is given:

/**
 * @typedef {{move: string, comment: string}} Move
 * @typedef {{n: number, seat: number, move: string | null, comment: string}} Event  move null: hidden
 * @typedef {{name: string, kind: "person" | "bot" | "open" | "empty", away: boolean}} Player
 * @typedef {{moves: string[], why: string | null, values?: any}} Meaning
 *
 * @typedef {object} BoardProps
 * @property {any} view  the position as this viewer may see it, null for what is hidden
 * @property {number | null} seat  the viewer's; null: watching, looking back
 * @property {number} facing  the seat at the bottom
 * @property {Player[]} players  by seat; names are text, never markup
 * @property {Move[] | null} moves  empty when others decide, null when there are too many
 * @property {string[]} calls  out of turn
 * @property {number[]} scores  by seat
 * @property {Event | null} last  the newest move
 * @property {string | null} [marked]  a move to point at
 * @property {{seats: number[], left: number, chosen: any} | null} [choosing]  where several choose at once
 * @property {string | null} [waiting]  how many still do, in words
 * @property {boolean} [settled]  the viewer has chosen: then `moves` is empty until "Change" is pressed
 * @property {number | null} deadline  until when to answer, on the clock of `performance.now()`
 * @property {(move: string) => void} play  a move of `moves` or `calls`
 * @property {(text: string) => Promise<Meaning>} ask  what picked cards can mean
 * @property {Texts} t  the board's own texts
 * @property {string} lang
 * @property {boolean} animate  false when animations are off
 *
 * @typedef {((key: string, values?: object) => string) & {has: (key: string) => boolean}} Texts
 * @typedef {(event: Event, props: BoardProps) => string} Say  a move in words
 */

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
