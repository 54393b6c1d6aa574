// What this browser remembers: its secret, the person's name, and how the page looks.

const KEY = "stammtisch";
const USUAL = { name: "", game: "", lang: null, theme: "auto", motion: true, sound: false, estimate: false, printed: false, confirm: false };

function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || {};
  } catch {
    return {};
  }
}

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const prefs = { ...USUAL, token: newToken(), ...load() };
prefs.lang ||= navigator.language?.startsWith("de") ? "de" : "en";
const listeners = new Set();

export function setPrefs(changes) {
  Object.assign(prefs, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // a browser that keeps nothing can still play
  }
  showPrefs();
  for (const listener of listeners) listener();
}

export function onPrefs(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Put language, colours and motion where the style sheets find them. */
export function showPrefs() {
  const root = document.documentElement;
  const dark = prefs.theme === "dark" || (prefs.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.lang = prefs.lang;
  root.dataset.theme = dark ? "dark" : "light";
  root.dataset.motion = prefs.motion ? "on" : "off";
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showPrefs);
setPrefs({});
