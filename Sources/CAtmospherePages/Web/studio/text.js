import { h, visible } from "./dom.js";
import { ExactNumber, write } from "./json.js";

export { visible };

/** A value as one text: strings as they are, everything else as JSON. */
export function plain(value) {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  return value instanceof ExactNumber ? value.text : write(value);
}

/** The beginning of a text. */
export function cut(text, most) {
  return text.length > most ? text.slice(0, most) + "…" : text;
}

/**
 * A value for reading: a text as text, null and what is not there in words, everything else as JSON.
 * @param {number} [most] characters; more are cut
 */
export function valueElement(value, most = 4_000) {
  if (value === undefined) return h("span.nothing", {}, "not set");
  if (value === null) return h("span.nothing", {}, "null");
  if (value === "") return h("span.nothing", {}, "empty text");
  if (typeof value === "object" && !(value instanceof ExactNumber)) {
    return h("code.json", {}, visible(cut(write(value, 2), most)));
  }
  return h("bdi", { dir: "auto" }, visible(cut(plain(value), most)));
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time in the person's own way. */
export function timeElement(text) {
  const time = new Date(text);
  if (Number.isNaN(time.valueOf())) return h("span", {}, visible(String(text)));
  return h("time", { datetime: time.toISOString(), title: text }, clock.format(time));
}

const numbers = new Intl.NumberFormat();

/** A count in the person's own way. */
export function count(number) {
  return numbers.format(number);
}

/** `1 object`, `2 objects`. */
export function counted(number, one, more = one + "s") {
  return `${count(number)} ${number === 1 ? one : more}`;
}

/** A size in bytes, as people say it. */
export function size(bytes) {
  if (bytes < 1_000) return `${bytes} bytes`;
  const units = ["kB", "MB", "GB"];
  let number = bytes / 1_000;
  while (number >= 1_000 && units.length > 1) {
    number /= 1_000;
    units.shift();
  }
  return `${number.toFixed(number < 10 ? 1 : 0)} ${units[0]}`;
}

const states = {
  synchronized: "in step", new: "new", changed: "edited", deleted: "deleted", conflicted: "conflict", rejected: "refused",
  unknown: "in doubt",
};

/** The word for a state. */
export function stateWord(state) {
  return states[state] ?? String(state);
}

/** Why something waits, without the command that a terminal names for it. */
export function reasonWords(reason) {
  return visible(reason.replaceAll(/ \(atmos [a-z]+\)/g, ""));
}

/** A state as a small sign. */
export function stateElement(state) {
  return h("span.state", { "data-state": state }, stateWord(state));
}
