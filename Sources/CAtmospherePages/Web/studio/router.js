/**
 * A place in Studio, which stands behind the # of the address: `#/objects/tasks/7?sort=-due`.
 * @typedef {{parts: string[], query: URLSearchParams}} Place
 */

/** The place that the address names. @returns {Place} */
export function here() {
  const text = location.hash.replace(/^#\/?/, "");
  const mark = text.indexOf("?");
  const path = mark < 0 ? text : text.slice(0, mark);
  return { parts: path.split("/").filter(Boolean).map(decoded),
    query: new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1)) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The address of a place.
 * @param {string[]} parts
 * @param {URLSearchParams | Record<string, string>} [query]
 */
export function link(parts, query = {}) {
  const text = String(new URLSearchParams(query));
  return "#/" + parts.map(encodeURIComponent).join("/") + (text ? "?" + text : "");
}

/** Goes to a place; with `replaces` the way back does not lead through the present one. */
export function go(address, { replaces = false } = {}) {
  if (address === location.hash) return;
  if (replaces) location.replace(address);
  else location.assign(address);
}
