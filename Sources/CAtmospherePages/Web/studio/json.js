/** A number that JavaScript cannot hold as it was written, such as 1.10 or 12345678901234567890. */
export class ExactNumber {
  /** @param {string} text as JSON has it */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

const numberForm = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Where a number may be that is written otherwise than JavaScript would write it. */
const exactForm = /\d{16}|\.\d*0(?!\d)|\d[eE][-+\d]|0\.000000|-0(?![.\d])/;

/**
 * Reads JSON and keeps each number as it was written, where the browser tells how (`context.source`). Objects are as
 * `recordOf` makes them.
 * @param {string} text
 * @throws {SyntaxError} for what is no JSON
 */
export function parse(text) {
  // To look at each value costs much more than to read them all.
  if (!exactForm.test(text)) return bare(JSON.parse(text));
  return bare(JSON.parse(text, (_, value, context) =>
    typeof value === "number" && context?.source !== undefined && String(value) !== context.source
      ? new ExactNumber(context.source)
      : value));
}

/**
 * An object that has no members but its own, whatever they are called: `constructor` and `__proto__` are names like others.
 * @param {Iterable<[string, unknown]>} [entries]
 * @returns {Record<string, any>}
 */
export function recordOf(entries = []) {
  return bare(Object.fromEntries(entries));
}

/** Takes from all objects of a value what they have inherited. */
function bare(value) {
  const left = [value];
  while (left.length) {
    const each = left.pop();
    if (each === null || typeof each !== "object" || each instanceof ExactNumber) continue;
    if (!Array.isArray(each)) Object.setPrototypeOf(each, null);
    for (const inner of Object.values(each)) left.push(inner);
  }
  return value;
}

/**
 * The number that a person has written.
 * @param {string} text
 * @returns {number | ExactNumber | undefined} undefined for what is no number
 */
export function numberFrom(text) {
  if (!numberForm.test(text)) return undefined;
  return String(Number(text)) === text ? Number(text) : new ExactNumber(text);
}

/**
 * Writes JSON, with numbers as they were read.
 * @param {unknown} value
 * @param {number} [indent] spaces of each level; none for one line
 */
export function write(value, indent = 0, depth = 0) {
  if (value instanceof ExactNumber) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((each) => write(each, indent, depth + 1))
    : Object.entries(value).map(([name, each]) =>
      `${JSON.stringify(name)}:${indent ? " " : ""}${write(each, indent, depth + 1)}`);
  const [open, close] = isArray ? "[]" : "{}";
  if (!indent || !parts.length) return open + parts.join(",") + close;
  const line = "\n" + " ".repeat(indent * depth);
  const inner = line + " ".repeat(indent);
  return open + inner + parts.join("," + inner) + line + close;
}

/** Whether two values are written the same; the order of members does not count. */
export function same(one, other) {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return write(sorted(one)) === write(sorted(other));
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object" || value instanceof ExactNumber) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}

/** The kind of a JSON value: null, boolean, number, string, array or object. */
export function kindOf(value) {
  if (value === null) return "null";
  if (value instanceof ExactNumber) return "number";
  return Array.isArray(value) ? "array" : typeof value;
}
