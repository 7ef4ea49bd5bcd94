import { atmosphere } from "/atmosphere.js";
import { problems, showDecisions, showStatus } from "/atmosphere-decisions.js";

const find = selector => document.querySelector(selector);
const { complain, attempt } = problems(find("#problem"));
/** What goes on within five minutes is one time without a break. */
const breakOf = 300000;
const hour = 3600000, days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
let local, zones, projects, names = new Map(), all = [], monday = mondayOf(new Date());

try {
  local = await atmosphere();
  [zones, projects] = ["zones", "projects"].map(name => local.collection(name));
  showStatus(find("#status"), local);
  showDecisions(find("#decide"), local, ({ note, started }) => note ?? started);
  local.addEventListener("problem", event => complain(event.detail));
  projects.subscribe({ sort: "name" }, showProjects);
  zones.subscribe({ sort: "started" }, rows => { all = rows; show(); });
  find("#start").addEventListener("submit", start);
  find("#running button").addEventListener("click", () => attempt(stop));
  for (const [id, step] of [["#before", -7], ["#after", 7]]) find(id).addEventListener("click", () => {
    monday = dayAfter(monday, step);
    show();
  });
} catch (error) {
  find("#status").textContent = "not available";
  complain(error);
}

// MARK: In and out

const running = () => all.filter(zone => !zone.ended).at(-1);

async function start(event) {
  event.preventDefault();
  await attempt(async () => {
    if (running()) await stop();
    const project = (await projects.all()).find(each => projects.idOf(each) === find("#project").value);
    await zones.save({ project: project.id, started: new Date().toISOString(), ended: null, note: find("#note").value || null });
    find("#note").value = "";
  });
}

async function stop() {
  const zone = running();
  if (zone) await zones.save({ ...zone, ended: new Date().toISOString() });
}

// MARK: What is shown

function showProjects(rows) {
  names = new Map(rows.map(row => [String(row.id), row.name]));
  const select = find("#project"), chosen = select.value;
  select.replaceChildren(...rows.map(row => new Option(row.name, projects.idOf(row))));
  if (names.has(chosen)) select.value = chosen;
  show();
}

function show() {
  const zone = running();
  find("#running").hidden = !zone;
  if (zone) {
    const since = new Date(zone.started).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    find("#running p").textContent = [`In the zone since ${since}: ${names.get(String(zone.project)) ?? "a project"}`, zone.note]
      .filter(Boolean).join(", ");
  }
  showWeek();
}

function showWeek() {
  const ends = days.map((_, index) => dayAfter(monday, index + 1)), starts = [monday, ...ends.slice(0, 6)];
  const inWeek = all.filter(zone => zone.ended).map(zone => [Date.parse(zone.started), Date.parse(zone.ended)])
    .map(time => cut(time, monday, ends[6])).filter(Boolean);
  const times = merged(inWeek, 0), stretches = merged(inWeek, breakOf).map(length), name = weekName(monday);
  const total = times.reduce((sum, time) => sum + length(time), 0);
  find("#week").textContent = name;
  find("#report").href = `/v1/objects/reports/${name}/contents/pdf`;
  find("#report").download = `${name}.pdf`;
  find("#total").textContent = duration(total);
  find("#longest").textContent = duration(Math.max(0, ...stretches));
  const hours = Array.from({ length: 24 }, (_, at) => starts.reduce((sum, day) =>
    sum + times.reduce((part, time) => part + length(cut(time, +day + at * hour, +day + (at + 1) * hour)), 0), 0));
  const best = hours.indexOf(Math.max(...hours));
  find("#productive").textContent = total ? `${best} to ${best + 1} o’clock` : "–";
  const chart = find("#chart");
  chart.setAttribute("aria-label", `${name}: ` + days.map((day, index) =>
    `${day} ${duration(times.reduce((sum, time) => sum + length(cut(time, starts[index], ends[index])), 0))}`).join(", "));
  chart.replaceChildren(...[0, 6, 12, 18, 24].flatMap(at => [
    drawn("line", { x1: 30, x2: 714, y1: 20 + at * 10, y2: 20 + at * 10 }), drawn("text", { x: 0, y: 24 + at * 10 }, `${at}`),
  ]));
  days.forEach((day, index) => {
    const x = 36 + index * 97;
    chart.append(drawn("text", { x, y: 12 }, day));
    for (const time of times) {
      const part = cut(time, starts[index], ends[index]);
      if (!part) continue;
      const height = Math.max(1, length(part) / hour * 10);
      chart.append(drawn("rect", { x, y: 20 + (part[0] - starts[index]) / hour * 10, width: 84, height, rx: 3 }));
    }
  });
}

function drawn(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

// MARK: Times

const length = time => time ? time[1] - time[0] : 0;

function cut([start, end], from, to) {
  const part = [Math.max(start, +from), Math.min(end, +to)];
  return part[0] < part[1] ? part : null;
}

/** Times that overlap, or follow within `pause`, are one. */
function merged(times, pause) {
  const found = [];
  for (const [start, end] of times.toSorted(([a], [b]) => a - b)) {
    const last = found.at(-1);
    if (last && start <= last[1] + pause) last[1] = Math.max(last[1], end); else found.push([start, end]);
  }
  return found;
}

function duration(time) {
  const minutes = Math.round(time / 60000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
}

function dayAfter(day, count) {
  const next = new Date(day);
  next.setDate(next.getDate() + count);
  return next;
}

function mondayOf(moment) {
  const day = new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());
  return dayAfter(day, -((day.getDay() + 6) % 7));
}

/** By ISO 8601: the week belongs to the year of its Thursday. */
function weekName(start) {
  const thursday = dayAfter(start, 3), first = mondayOf(new Date(thursday.getFullYear(), 0, 4));
  const week = Math.round((start - first) / (7 * 24 * hour)) + 1;
  return `${thursday.getFullYear()}-W${String(week).padStart(2, "0")}`;
}
