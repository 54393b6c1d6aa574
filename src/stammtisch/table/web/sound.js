// Two small sounds, made here: a wooden tap when somebody moves, two tones when it is your turn.

import { prefs } from "./prefs.js";

let context = null;

function tone(pitch, start, length, volume) {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(volume, context.currentTime + start);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(context.currentTime + start);
  oscillator.stop(context.currentTime + start + length);
}

export function sound(name) {
  if (!prefs.sound) return;
  context ??= new AudioContext();
  if (name === "turn") {
    tone(523, 0, 0.18, 0.08);
    tone(659, 0.12, 0.22, 0.08);
  } else {
    tone(190, 0, 0.07, 0.16);
  }
}
