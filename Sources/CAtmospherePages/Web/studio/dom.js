const names = new Set(["value", "checked", "disabled", "hidden", "open", "indeterminate", "selected", "readOnly", "multiple"]);

// What changes the direction of what follows, or cannot be seen: control characters but tab and line ends, soft hyphens, zero
// widths, bidirectional marks, line and paragraph separators, tags.
const unseen = new RegExp(
  "[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069"
    + "\\ufeff\\ufff9-\\ufffb]|[\\u{e0000}-\\u{e007f}]", "gu");

/** A text with its invisible characters named, so that none of them moves what stands beside it. */
export function visible(text) {
  return text.replace(unseen, (character) => `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** What these attributes hold is read by a person. */
const words = new Set(["aria-label", "alt", "placeholder", "title"]);

/**
 * An element. Texts are text and never markup.
 * @param {string} tag a name, with classes after dots: `button.quiet`
 * @param {Record<string, unknown>} [attributes] `on…` for listeners; null and false leave an attribute out
 * @param {...(Node | string | number | null | undefined | false | Array)} children
 * @returns {HTMLElement & HTMLInputElement}
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) set(element, key, value);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function set(element, key, value) {
  if (value === null || value === undefined || (value === false && !names.has(key))) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (names.has(key)) element[key] = value;
  else element.setAttribute(key, value === true ? "" : words.has(key) ? visible(String(value)) : String(value));
}

/** Puts other children into an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Puts these children into an element, and moves none that has its place: one with the focus keeps it. */
export function arrange(element, children) {
  for (const old of [...element.children]) if (!children.includes(old)) old.remove();
  children.forEach((child, index) => {
    if (element.children[index] !== child) element.insertBefore(child, element.children[index] ?? null);
  });
}

let lastNumber = 0;

/** An identifier that no other element has. */
export function unique(stem) {
  return `${stem}-${++lastNumber}`;
}

/**
 * A function that runs a while after the last call of it.
 * @param {number} milliseconds
 */
export function later(milliseconds, run) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...values), milliseconds);
  };
}

/**
 * A function that runs at once, and no more than once in a while; the last call is not lost.
 * @param {number} milliseconds
 */
export function spaced(milliseconds, run) {
  let timer = 0;
  let isDue = false;
  const step = () => {
    timer = 0;
    if (!isDue) return;
    isDue = false;
    timer = setTimeout(step, milliseconds);
    run();
  };
  return () => {
    isDue = true;
    if (!timer) step();
  };
}
