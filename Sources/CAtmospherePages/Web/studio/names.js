import { h, later } from "./dom.js";
import { get, objectPath } from "./gateway.js";
import { cut, visible } from "./text.js";

/** The members by which a person most likely knows an object, the best first. */
export const mainMembers = ["title", "name", "subject", "summary", "text", "label"];

/** What a person calls an object; empty where it has no such member. @param {Record<string, unknown> | null} record */
export function nameOf(record) {
  const member = mainMembers.find((name) => typeof record?.[name] === "string" && record[name].trim());
  return member ? visible(cut(record[member].trim().replaceAll(/\s+/g, " "), 80)) : "";
}

/** How many names are asked for at a time. */
const atOnce = 2;
/** @type {Map<string, string>} */
const known = new Map();
/** @type {Map<string, Set<HTMLElement>>} */
const waiting = new Map();
let running = 0;

// Only names that somebody sees are asked for.
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    const { object } = target.dataset;
    waiting.set(object, (waiting.get(object) ?? new Set()).add(target));
  }
  begin();
});
// What is shown for a moment only, in the midst of a push, is not asked for.
const begin = later(100, step);

/**
 * The name of an object, to stand beside its address.
 * @param {string} uri
 * @param {Record<string, unknown>} [record] where it is not here, the name is asked for
 */
export function nameElement(uri, record) {
  const element = h("bdi.object-name", { "data-object": uri }, record ? nameOf(record) : known.get(uri) ?? "");
  if (!record && !known.has(uri)) observer.observe(element);
  return element;
}

/** Objects of an entity may have other names by now. */
export function forgetNames(entity) {
  for (const uri of known.keys()) if (uri.startsWith(`${entity}/`)) known.delete(uri);
}

function step() {
  while (running < atOnce && waiting.size) {
    const [uri, elements] = waiting.entries().next().value;
    waiting.delete(uri);
    if (![...elements].some((element) => element.isConnected)) continue;
    running += 1;
    read(uri, elements);
  }
}

async function read(uri, elements) {
  const state = await get(objectPath(uri, "state")).catch(() => null);
  const name = nameOf(state?.record) || nameOf(state?.base);
  known.set(uri, name);
  for (const element of elements) element.textContent = name;
  running -= 1;
  step();
}
