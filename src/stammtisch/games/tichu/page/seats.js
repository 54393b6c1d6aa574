// Who sits at the table: names, teams, calls, cards, points; and the score.

import { html } from "/web/vendor/preact-htm.js";
import { Row } from "./cards.js";
import { numberText } from "./words.js";

const SIDES = ["bottom", "right", "top", "left"];

/** Where a seat is drawn: play runs to the right, so the next seat sits there. */
export const sideOf = (seat, facing) => SIDES[(seat - facing + 4) % 4];

/** The sign of a team: a disc for seats 0 and 2, a diamond for 1 and 3. */
export function Team({ team }) {
  return html`<svg class=${`team team-${team}`} viewBox="0 0 12 12" aria-hidden="true">
    ${team === 0 ? html`<circle cx="6" cy="6" r="5" />` : html`<path d="M6 .4 11.6 6 6 11.6.4 6Z" />`}
  </svg>`;
}

export function teamName(team, { seat, players, t }) {
  if (seat !== null) return t(seat % 2 === team ? "team.us" : "team.them");
  return t("team.names", { one: players[team].name, two: players[team + 2].name });
}

export function Score({ teams, props }) {
  const { view, t } = props;
  const target = view.options?.target;
  return html`<div class="score">
    <div class="totals">
      ${teams.map((team) => html`<span key=${team} class="total"><span class="side"><${Team} team=${team} /><span class="text">${teamName(team, props)}</span></span><b>${numberText(view.score[team])}</b></span>`)}
    </div>
    <div class="round">${t(target ? "round.target" : "round.plain", { round: view.round, target })}</div>
  </div>`;
}

export function Call({ call, t }) {
  if (!call) return null;
  return html`<span class=${`call call-${call}`}>${t(`call.${call}`)}</span>`;
}

function Place({ seat, props }) {
  const place = props.view.out.indexOf(seat);
  return place >= 0 && html`<span class="out">${props.t(`out.${place}`)}</span>`;
}

function Points({ seat, props: { view, t } }) {
  return html`<span class="points" title=${t("points.help")}>${t("points", { points: numberText(view.points[seat]) })}</span>`;
}

function Name({ seat, props }) {
  const { players, seat: own, t } = props;
  const { name, away, kind } = players[seat];
  const shown = kind === "empty" ? t("seat.free") : name;
  return html`<span class=${away ? "name away" : "name"}>
    <${Team} team=${seat % 2} /><span class="text" title=${shown}>${shown}</span>
    ${seat === own && html`<span class="you">${t("you")}</span>`}
    ${away && html`<span class="you">${t("away")}</span>`}
  </span>`;
}

const decides = (seat, { view, choosing }) => (choosing ? choosing.seats.includes(seat) : view.player === seat);

/** Another player: name, cards as counted backs (or faces where they are open), calls, points. */
export function Plate({ seat, marked, props }) {
  const { view, facing, t } = props;
  const hand = view.hands[seat];
  const open = hand.length > 0 && !hand.includes(null);
  const turn = decides(seat, props);
  return html`<div class=${`plate ${sideOf(seat, facing)} ${turn ? "turn" : ""}`} data-seat=${seat}>
    <${Name} seat=${seat} props=${props} />
    <span class="hand-line" aria-label=${t("cards.left", { n: hand.length })}>
      ${hand.length > 0 ? html`<${Row} cards=${hand} t=${t} marked=${open ? marked : []} />` : html`<${Place} seat=${seat} props=${props} />`}
      ${hand.length > 0 && html`<b class="count">${hand.length}</b>`}
    </span>
    <span class="under"><${Points} seat=${seat} props=${props} /><${Call} call=${view.announced[seat]} t=${t} /></span>
  </div>`;
}

/** The line above the own hand. */
export function OwnLine({ children, props }) {
  const { view, facing, t } = props;
  return html`<div class=${decides(facing, props) ? "own-line turn" : "own-line"} data-seat=${facing}>
    <${Name} seat=${facing} props=${props} />
    <${Call} call=${view.announced[facing]} t=${t} />
    <${Place} seat=${facing} props=${props} />
    <${Points} seat=${facing} props=${props} />
    ${children}
  </div>`;
}
