/** What stands beside the board: the players with their pawns, and what a pawn is on which colour. */

import { html } from "/web/vendor/preact-htm.js";
import { Badge, Figure, Token } from "./figures.js";
import { ROLES, SEATS, TURN_ORDER, roleOn } from "./layout.js";

const COLOURS = SEATS;

function Picture({ name, children }) {
  return html`<svg class=${name} viewBox="-50 -50 100 100" aria-hidden="true">${children}</svg>`;
}

/** Which of a player's four pawns are alive. */
function Alive({ mine, t }) {
  return html`<span class="left" role="img" aria-label=${t("pawns-left", { n: mine.filter(Boolean).length })}>
    ${mine.map((alive, knight) => html`<${Picture} name=${alive ? "" : "absent"}>
      <${Badge} colour=${knight} size="88" />
    <//>`)}
  </span>`;
}

/** The players in turn order, the viewer first; lost pawns and lost players stay there, crossed out. */
export function Players({ view, facing, line_up, pawns, players, winners, t }) {
  const first = TURN_ORDER.indexOf(facing);
  const order = [...TURN_ORDER.slice(first), ...TURN_ORDER.slice(0, first)].filter((seat) => line_up.includes(seat));
  return html`<ul class="players">
    ${order.map((seat) => {
      const mine = COLOURS.map((knight) => pawns.some((pawn) => pawn.owner === seat && pawn.knight === knight));
      const end = winners.includes(seat) ? "won" : mine.some(Boolean) ? null : "out";
      const state = end ?? (view.player === seat ? "turn" : "");
      return html`<li key=${seat} class="seat-${seat} ${state}" title=${t(`seat.${seat}`)}>
        <${Picture} name="shape"><${Token} owner=${seat} /><//>
        <span class="name">${players[seat]?.name || t(`seat.${seat}`)}</span>
        ${end ? html`<span class="mark">${t(end)}</span>` : html`<${Alive} mine=${mine} t=${t} />`}
      </li>`;
    })}
  </ul>`;
}

/** A row for each knight colour, a column for each colour of square; what the viewer looks at is marked. */
export function Legend({ owner, knight, colour, t }) {
  return html`<table class="legend">
    <caption>${t("legend")}</caption>
    <thead>
      <tr>
        <td></td>
        ${COLOURS.map((one) => html`<th scope="col" class=${one === colour ? "looked" : ""}>
          <${Picture} name=""><${Badge} colour=${one} size="92" /><//><span>${t(`colour.${one}`)}</span>
        </th>`)}
      </tr>
    </thead>
    <tbody>
      ${COLOURS.map((pawn) => html`<tr class=${pawn === knight ? "looked" : ""}>
        <th scope="row" aria-label=${t("legend.pawn", { colour: t(`colour.${pawn}`) })}>
          <svg class="pawn seat-${owner}" viewBox="-46 -46 114 92" aria-hidden="true">
            <${Token} owner=${owner} /><g transform="translate(34 12)"><${Badge} colour=${pawn} size="62" /></g>
          </svg>
        </th>
        ${COLOURS.map((on) => html`<td class=${on === colour ? "looked" : ""}>
          <svg viewBox="-50 -50 100 100" role="img" aria-label=${t(`role.${roleOn(pawn, on)}`)}>
            <title>${t(`role.${roleOn(pawn, on)}`)}</title><${Figure} role=${roleOn(pawn, on)} size="92" />
          </svg>
        </td>`)}
      </tr>`)}
    </tbody>
  </table>
  <p class="roles">
    ${ROLES.map((_, role) => html`<span>
      <${Picture} name=""><${Figure} role=${role} size="96" /><//>${t(`role.${role}`)}
    </span>`)}
  </p>`;
}
