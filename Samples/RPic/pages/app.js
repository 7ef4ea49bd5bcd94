import { atmosphere } from "/atmosphere.js";

const find = selector => document.querySelector(selector);
const items = new Map();
/** So many pictures make a map. */
const enough = 3;
let local, pictures;

try {
  local = await atmosphere();
  pictures = local.collection("pictures");
  local.subscribe(showStatus);
  local.addEventListener("problem", event => complain(event.detail));
  pictures.subscribe({ sort: "-taken" }, rows => attempt(() => showPictures(rows)));
  find("#take").addEventListener("submit", take);
  find("#sync").addEventListener("click", () => attempt(async () => {
    const { push, pull } = await asked("POST", "/v1/sync", {}), [problem] = [...push.problems, ...pull?.problems ?? []];
    if (problem) throw new Error(problem.message);
  }));
} catch (error) {
  find("#status").textContent = "not available";
  complain(error);
}

function complain(error) {
  find("#problem").textContent = error.message;
  find("#problem").hidden = false;
}

async function attempt(work) {
  try { return await work(); } catch (error) { complain(error); }
}

/** What the module does not offer: contents, what was refused, synchronizing. */
async function asked(method, path, body) {
  const isFile = body instanceof Blob;
  const answer = await fetch(path, {
    method, body: isFile || !body ? body : JSON.stringify(body), headers: { "Content-Type": isFile ? body.type : "application/json" },
  });
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.detail ?? `${path}: ${answer.status}`);
  return value;
}

// MARK: Pictures

async function take(event) {
  event.preventDefault();
  await attempt(async () => {
    const file = find("#file").files[0];
    // The gateway of this machine takes both, and sends them when it can.
    const { id } = await asked("POST", "/v1/objects/pictures", {
      title: find("#title").value, taken: new Date().toISOString(), ...position(find("#place").value),
    });
    await asked("PUT", `${pathOf(id)}/contents/picture?name=picture.jpg`, file);
    find("#take").reset();
    await showStates();
  });
}

const pathOf = id => `/v1/objects/pictures/${encodeURIComponent(id)}`;

/** Of `22.9519S,43.2105W`; nothing without a place. */
function position(text) {
  if (!text.trim()) return {};
  const match = /^\s*([0-9]+(?:\.[0-9]+)?)([NS])\s*,\s*([0-9]+(?:\.[0-9]+)?)([EW])\s*$/i.exec(text);
  if (!match || match[1] > 90 || match[3] > 180) throw new Error(`${text} is no place; write it as 22.9519S,43.2105W`);
  return { latitude: match[1], latitude_ref: match[2].toUpperCase(), longitude: match[3], longitude_ref: match[4].toUpperCase() };
}

function showPictures(rows) {
  const left = new Set(items.keys());
  for (const row of rows) {
    const id = pictures.idOf(row);
    left.delete(id);
    if (!items.has(id)) items.set(id, newItem());
    fill(items.get(id), row, id);
    find("#pictures").append(items.get(id).element);
  }
  for (const id of left) {
    items.get(id).element.remove();
    items.delete(id);
  }
  showMap(rows.filter(row => row.latitude && row.longitude));
  return showStates();
}

function newItem() {
  const item = { element: find("#picture").content.firstElementChild.cloneNode(true) }, title = item.element.querySelector("input");
  // An edit is of the row as it was when the person began.
  item.image = item.element.querySelector("img");
  item.image.addEventListener("error", () => { item.isMissing = true; });
  title.addEventListener("focus", () => { item.seen = item.row; });
  title.addEventListener("change", () => attempt(() => pictures.save({ ...item.seen, title: title.value })));
  item.element.querySelector("button").addEventListener("click", () => attempt(() => pictures.remove(item.row)));
  return item;
}

function fill(item, row, id) {
  const { element, image } = item, title = element.querySelector("input");
  item.row = row;
  element.id = `picture-${id}`;
  if (document.activeElement !== title) title.value = row.title ?? "";
  image.alt = row.title || "A picture without a title";
  const address = `${pathOf(id)}/contents/picture`;
  if (image.getAttribute("src") !== address) image.src = address;
  element.querySelector("button").setAttribute("aria-label", `Delete ${row.title}`);
  element.querySelector(".told").textContent =
    [new Date(row.taken).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }), row.user].filter(Boolean).join(" · ");
}

/** ✓ as the server has it, ↑ to be sent, ! refused: what the gateway says. */
async function showStates() {
  const { objects } = await asked("GET", "/v1/objects/pictures?meta=true&limit=1000").catch(() => ({ objects: [] }));
  const states = new Map(objects.map(({ id, state }) => [String(id), state]));
  for (const [id, item] of items) {
    const { element, image } = item;
    // It comes behind what is told of it, and may be here now.
    if (item.isMissing) [item.isMissing, image.src] = [false, image.src];
    const state = states.get(id) ?? "waits", sign = element.querySelector(".sign");
    sign.textContent = state === "synchronized" ? "✓" : state === "rejected" ? "!" : state.includes("conflict") ? "C" : "↑";
    sign.title = state;
  }
  const { items: refused } = await asked("GET", "/v1/rejected").catch(() => ({ items: [] }));
  find("#refused").hidden = !refused.length;
  find("#refused ul").replaceChildren(...refused.map(({ uri, message }) => {
    const element = document.createElement("li"), button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: "Take it back" });
    button.addEventListener("click", () => attempt(() => asked("POST", `${pathOf(uri.split("/")[1])}/discard`, {})));
    element.append(`${uri}: ${message} `, button);
    return element;
  }));
}

// MARK: The map

const signed = (degrees, side) => Number(degrees) * ("SW".includes(side) ? -1 : 1);

/** Meridians and parallels, and a point for each picture, which leads to it. */
function showMap(rows) {
  find("#map").hidden = rows.length < enough;
  if (rows.length < enough) return;
  const points = rows.map(row => ({ row, x: signed(row.longitude, row.longitude_ref), y: signed(row.latitude, row.latitude_ref) }));
  const [west, east] = range(points.map(({ x }) => x)), [south, north] = range(points.map(({ y }) => y));
  const width = 720, height = 340, margin = 36, middle = { x: (west + east) / 2, y: (south + north) / 2 };
  // A degree is as long to the east as to the north.
  const narrowing = Math.max(.1, Math.cos(middle.y * Math.PI / 180));
  const scale = Math.min((width - 2 * margin) / ((east - west) * narrowing), (height - 2 * margin) / (north - south));
  const left = x => width / 2 + (x - middle.x) * narrowing * scale, top = y => height / 2 - (y - middle.y) * scale;
  const step = [.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20, 30].find(each => each * scale * narrowing >= 64) ?? 45;
  const lines = [];
  for (const y of multiples(step, middle.y, height / 2 / scale, 90)) {
    lines.push(drawn("line", { x1: 0, x2: width, y1: top(y), y2: top(y) }), drawn("text", { x: 6, y: top(y) - 4 }, named(y, "NS", step)));
  }
  for (const x of multiples(step, middle.x, width / 2 / narrowing / scale, 180)) {
    lines.push(drawn("line", { x1: left(x), x2: left(x), y1: 0, y2: height }),
      drawn("text", { x: left(x) + 4, y: height - 6 }, named(x, "EW", step)));
  }
  const people = [...new Set(rows.map(owner))].sort();
  find("#map svg").replaceChildren(...lines, ...points.map(({ row, x, y }) => {
    const link = drawn("a", { href: `#picture-${pictures.idOf(row)}`, "aria-label": `${row.title}, ${owner(row)}` });
    link.append(drawn("title", {}, row.title),
      drawn("circle", { cx: left(x), cy: top(y), r: 7, class: `person-${people.indexOf(owner(row)) % 4}` }));
    return link;
  }));
  find("#people").replaceChildren(...people.map((name, index) => {
    const item = document.createElement("span"), point = drawn("svg", { viewBox: "0 0 16 16", "aria-hidden": true });
    point.append(drawn("circle", { cx: 8, cy: 8, r: 7, class: `person-${index % 4}` }));
    item.append(point, `${name}: ${rows.filter(row => owner(row) === name).length}`);
    return item;
  }));
}

const owner = row => row.user ?? "not sent yet";

/** From the least to the greatest, and not narrower than a hundredth of a degree. */
function range(values) {
  const least = Math.min(...values), greatest = Math.max(...values), lacking = Math.max(0, .01 - (greatest - least)) / 2;
  return [least - lacking, greatest + lacking];
}

/** Of a step, not farther from the middle than `reach`, and not beyond `most`. */
function multiples(step, middle, reach, most) {
  const first = Math.ceil(Math.max(-most, middle - reach) / step), last = Math.floor(Math.min(most, middle + reach) / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

function named(value, sides, step) {
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return `${Math.abs(value).toFixed(decimals)}°${value > 0 ? sides[0] : value < 0 ? sides[1] : ""}`;
}

function drawn(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

// MARK: How it stands

function showStatus({ state, pending, refused, conflicts, message }) {
  const words = {
    starting: "opening …", connected: "in step with the gateway", unreachable: "the gateway does not answer; go on looking and naming",
    signedOut: "open the link that the gateway printed", foreign: "another gateway answers here",
  };
  const parts = [words[state]];
  if (pending && state !== "connected") parts.push(`${pending} to be sent`);
  if (refused + conflicts) parts.push(`${refused + conflicts} to decide`);
  const line = find("#status");
  line.textContent = parts.join(" · ");
  line.title = message;
  line.dataset.state = state;
  line.dataset.pending = pending;
  attempt(showStates);
  showDecisions();
}

/** What this browser wrote and somebody else has changed too, or what was refused; Studio shows what the gateway has to decide. */
async function showDecisions() {
  const own = (await local.conflicts().catch(() => [])).filter(({ place }) => place === "page");
  find("#decide").replaceChildren(...own.map(item => {
    const line = document.createElement("li"), isRefused = item.kind === "refused";
    line.append(`${item.mine?.title ?? item.id}: ${isRefused ? item.message : "somebody else has changed this, too"} `);
    for (const [choice, text] of isRefused ? [["retry", "Try again"], ["discard", "Drop it"]] : [["mine", "Keep mine"], ["theirs", "Take theirs"]]) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: text });
      button.addEventListener("click", () => attempt(() => isRefused ? local[choice](item) : local.resolve(item, choice)));
      line.append(button, " ");
    }
    return line;
  }));
}
