import { atmosphere } from "/atmosphere.js";
import {
  arrange, asked, followRows, problems, showDecisions, showSign, showStatus, synchronize, watchStates,
} from "/atmosphere-decisions.js";

const find = selector => document.querySelector(selector);
const { complain, attempt } = problems(find("#problem"));
const items = new Map();
/** So many pictures make a map. */
const enough = 3;
let local, pictures, lookAtStates, filled = null;

try {
  local = await atmosphere();
  pictures = local.collection("pictures");
  showStatus(find("#status"), local);
  showDecisions(find("#decide"), local, ({ title }) => title);
  local.addEventListener("problem", event => complain(event.detail));
  lookAtStates = watchStates(local, "pictures", showStates);
  followRows(pictures, { sort: "-taken" }, items, showPictures);
  find("#take").addEventListener("submit", take);
  find("#take").addEventListener("reset", () => { filled = null; });
  find("#sync").addEventListener("click", () => attempt(synchronize));
} catch (error) {
  find("#status").textContent = "not available";
  complain(error);
}

// MARK: Pictures

async function take(event) {
  event.preventDefault();
  await attempt(async () => {
    const file = find("#file").files[0], told = { title: find("#title").value, ...position(find("#place").value) };
    // The gateway of this machine takes both, and sends them when it can.
    await asked("PUT", `${pathOf(await created(told))}/contents/picture?name=picture.jpg`, file);
    find("#take").reset();
    await lookAtStates();
  });
}

/** The picture of the form. What is sent again after a failure is the same picture; what was corrected takes its place. */
async function created(told) {
  const form = filled ??= { key: crypto.randomUUID(), told, taken: new Date().toISOString() };
  form.id ??= (await asked("POST", "/v1/objects/pictures", { ...form.told, taken: form.taken }, { "Idempotency-Key": form.key })
    .catch(error => {
      // It was not taken, and goes with another key when it is corrected.
      if (error.status < 500) filled = null;
      throw error;
    })).id;
  if (JSON.stringify(told) === JSON.stringify(form.told)) return form.id;
  await asked("DELETE", pathOf(form.id));
  filled = null;
  return created(told);
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
  arrange(find("#pictures"), items, pictures, rows, newItem, fill);
  showMap(rows.filter(row => row.latitude && row.longitude));
  lookAtStates();
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
function showStates(stateOf) {
  for (const [id, item] of items) {
    // It comes behind what is told of it, and may be here now.
    if (item.isMissing) [item.isMissing, item.image.src] = [false, item.image.src];
    showSign(item.element.querySelector(".sign"), stateOf(id));
  }
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
