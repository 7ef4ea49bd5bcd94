import { visible } from "./text.js";
import { h } from "./dom.js";

/** What is compared at once, at the most: pairs of words. */
const most = 2_000_000;

/**
 * How a text became another, word by word, or line by line where the texts are long.
 * @returns {{kind: "same" | "removed" | "added", text: string}[]}
 */
export function difference(before, after) {
  const words = compared(before.match(/\s+|[\p{L}\p{N}_]+|./gsu) ?? [], after.match(/\s+|[\p{L}\p{N}_]+|./gsu) ?? []);
  if (words) return readable(words, before, after);
  const lines = compared(before.match(/.*\n|.+/g) ?? [], after.match(/.*\n|.+/g) ?? []);
  return lines ?? [{ kind: "removed", text: before }, { kind: "added", text: after }];
}

/** Single words that are the same by chance are no help to a reader. */
const leastAlike = 0.3;

/** The same difference in fewer pieces: what lies between two changes and is only white space belongs to both. */
function readable(parts, before, after) {
  const alike = parts.filter(({ kind }) => kind === "same").reduce((sum, { text }) => sum + text.trim().length, 0);
  if (alike < leastAlike * Math.min(before.length, after.length)) {
    return [{ kind: "removed", text: before }, { kind: "added", text: after }].filter(({ text }) => text);
  }
  const result = [];
  let [removed, added] = ["", ""];
  const flush = () => {
    add(result, "removed", removed ? [removed] : []);
    add(result, "added", added ? [added] : []);
    [removed, added] = ["", ""];
  };
  parts.forEach(({ kind, text }, index) => {
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else if ((removed || added) && index < parts.length - 1 && !text.trim()) {
      removed += text;
      added += text;
    } else {
      flush();
      add(result, "same", [text]);
    }
  });
  flush();
  return result;
}

function compared(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const one = before.slice(start, before.length - end);
  const other = after.slice(start, after.length - end);
  if (one.length * other.length > most) return null;
  const parts = [];
  add(parts, "same", before.slice(0, start));
  align(one, other, parts);
  add(parts, "same", end ? before.slice(-end) : []);
  return parts;
}

/** The longest common subsequence of two lists. */
function align(one, other, parts) {
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = one[i] === other[j]
        ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      add(parts, "same", [one[i]]);
      i += 1;
      j += 1;
    } else if (j >= other.length
      || (i < one.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) {
      add(parts, "removed", [one[i]]);
      i += 1;
    } else {
      add(parts, "added", [other[j]]);
      j += 1;
    }
  }
}

function add(parts, kind, words) {
  if (!words.length) return;
  const text = words.join("");
  if (parts.at(-1)?.kind === kind) parts.at(-1).text += text;
  else parts.push({ kind, text });
}

/** Unchanged text around a change that is shown. */
const around = 160;

/** A text with what became of it marked; long passages that are the same are left out. */
export function differenceElement(before, after) {
  const parts = difference(before, after);
  return h("bdi.difference", { dir: "auto" }, parts.map((part, index) => {
    if (part.kind === "removed") return h("del", {}, visible(part.text));
    if (part.kind === "added") return h("ins", {}, visible(part.text));
    return visible(shortened(part.text, index > 0, index < parts.length - 1));
  }));
}

function shortened(text, keepsStart, keepsEnd) {
  if (text.length <= 2 * around + 40) return text;
  return (keepsStart ? text.slice(0, around) : "") + " … " + (keepsEnd ? text.slice(-around) : "");
}
