import { html } from "/web/vendor/preact-htm.js";

export const Emblem = () => html`${[20, 48, 76].map((x) => html`<circle cx=${x} cy="40" r="12" fill="var(--seat-2)" />`)}`;
