import { atmosphere } from "/atmosphere.js";
import { arrange, asked, followRows, problems, showDecisions, showStatus } from "/atmosphere-decisions.js";

const find = selector => document.querySelector(selector);
const { complain, attempt } = problems(find("#problem"));
const items = new Map();
let local, lists, tasks, allLists = [], allTasks = [], chosen = localStorage.getItem("list"), lifted = null, tied = "", account = "";

try {
  local = await atmosphere();
  [lists, tasks] = ["lists", "tasks"].map(name => local.collection(name));
  showStatus(find("#status"), local, { service: "Google" });
  showDecisions(find("#decide"), local, ({ title }) => title);
  local.subscribe(look);
  local.addEventListener("problem", event => complain(event.detail));
  lists.subscribe({ sort: "title" }, showLists);
  followRows(tasks, {}, items, rows => { allTasks = rows; show(); });
  find("#new-list").addEventListener("submit", addList);
  find("#new-task").addEventListener("submit", addTask);
  find("#clean").addEventListener("click", () => attempt(() => lists.save({ ...list(), cleared: true })));
  find("#sign-in button").addEventListener("click", () => attempt(signIn));
} catch (error) {
  find("#status").textContent = "not available";
  complain(error);
}

// MARK: Lists and tasks

const list = () => allLists.find(each => lists.idOf(each) === chosen) ?? allLists[0];
const isDone = task => task.status === "completed";

async function addList(event) {
  event.preventDefault();
  const input = event.target.querySelector("input");
  const saved = await attempt(() => lists.save({ title: input.value }));
  if (!saved) return;
  input.value = "";
  choose(lists.idOf(saved));
}

/** A new list gets another identifier from the server, and stays the chosen one. */
async function showLists(rows) {
  allLists = rows;
  const known = chosen && list() !== rows.find(each => lists.idOf(each) === chosen) ? await lists.get(chosen) : null;
  if (known) choose(lists.idOf(known)); else show();
}

function choose(id) {
  chosen = id;
  localStorage.setItem("list", id);
  show();
}

async function addTask(event) {
  event.preventDefault();
  const input = event.target.querySelector("input");
  const saved = await attempt(() => tasks.save({ list_id: list().id, title: input.value, status: "needsAction" }));
  if (saved) input.value = "";
}

/** The tasks of a list as they stand, each with those below it behind it. What was cleaned up is not among them. */
function shown() {
  const own = allTasks.filter(task => String(task.list_id) === String(list()?.id)), isPutAway = task => task.hidden || (list().cleared && isDone(task));
  const below = parent => ordered(own.filter(task => (task.parent ?? null) === parent)).filter(task => !isPutAway(task));
  return below(null).flatMap(task => [task, ...below(task.id)]);
}

// MARK: The order

/** As the server has it; behind it goes what waits to be moved behind another task (`previous`). */
function ordered(rows) {
  const place = row => row.position ?? "", time = row => row.updated ?? "9";
  const compared = (a, b) => a < b ? -1 : a > b ? 1 : 0;
  const result = rows.toReversed().sort((a, b) => compared(place(a), place(b)) || compared(time(b), time(a)));
  const waiting = rows.filter(row => row.previous !== undefined);
  for (let round = 0, hasMoved = waiting.length > 0; hasMoved && round <= waiting.length; round++) {
    hasMoved = false;
    for (const row of waiting) {
      const from = result.indexOf(row), behind = result.findIndex(each => each.id === row.previous);
      if (behind < 0 && row.previous !== null) continue;
      if (from > behind && result.slice(behind + 1, from).every(each => waiting.includes(each))) continue;
      result.splice(from, 1);
      result.splice(result.findIndex(each => each.id === row.previous) + 1, 0, row);
      hasMoved = true;
    }
  }
  return result;
}

/** Where one is put, the server gives the others of its list other places, and tells them with the list alone. */
async function askForPlaces(rows) {
  const places = rows.filter(row => row.position && row.previous === undefined).map(row => `${row.parent ?? ""} ${row.position}`);
  const ties = JSON.stringify(places.filter((place, index) => places.indexOf(place) < index));
  if (ties === tied) return;
  tied = ties;
  if (ties === "[]" || local.status.state !== "connected") return;
  await asked("POST", "/v1/pull", { entities: ["tasks"] }).catch(() => {});
}

/** Saves an order of tasks below one parent: of the one that was moved, and of those that wait to be moved themselves. */
function saveOrder(rows, moved) {
  return attempt(() => Promise.all(rows.map((row, index) => {
    const previous = rows[index - 1]?.id ?? null;
    return (row === moved || row.previous !== undefined) && row.previous !== previous ? tasks.save({ ...row, previous }) : null;
  })));
}

async function move(task, step) {
  const rows = shown().filter(row => (row.parent ?? null) === (task.parent ?? null)), from = rows.findIndex(row => row.id === task.id), to = from + step;
  if (to < 0 || to >= rows.length) return;
  const [moved] = rows.splice(from, 1);
  rows.splice(to, 0, moved);
  await saveOrder(rows, moved);
  find("#moved").textContent = `${moved.title}: ${to + 1} of ${rows.length}`;
}

/** Follows a finger or a mouse; the tasks below go along when the list is shown anew. */
function drag(event, item) {
  const { element, row } = item, handle = event.target, start = shownOrder(row);
  const end = new AbortController();
  event.preventDefault();
  handle.focus();
  handle.setPointerCapture(event.pointerId);
  lifted = element;
  element.classList.add("lifted");
  const neighbour = step => shownElements(row)[shownElements(row).indexOf(element) + step];
  const middle = other => other.getBoundingClientRect().top + other.offsetHeight / 2;
  // The others move: what is taken out of the page loses the pointer.
  handle.addEventListener("pointermove", ({ clientY }) => {
    for (let other; (other = neighbour(-1)) && clientY < middle(other);) element.after(other);
    for (let other; (other = neighbour(1)) && clientY > middle(other);) element.before(other);
  }, { signal: end.signal });
  const drop = async isKept => {
    end.abort();
    const rows = shownOrder(row);
    if (isKept && rows.some((each, index) => each !== start[index])) await saveOrder(rows, row);
    lifted = null;
    element.classList.remove("lifted");
    show();
  };
  handle.addEventListener("pointerup", () => drop(true), { signal: end.signal });
  handle.addEventListener("pointercancel", () => drop(false), { signal: end.signal });
}

/** Of the tasks that stand below the same parent. */
const shownElements = row => [...find("#tasks").children].filter(each => (each.row.parent ?? null) === (row.parent ?? null));
const shownOrder = row => shownElements(row).map(each => each.row);

// MARK: What is shown

function show() {
  if (lifted || !tasks) return;
  find("#lists").replaceChildren(...allLists.map(each => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = each.title;
    if (each === list()) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => choose(lists.idOf(each)));
    item.append(button);
    return item;
  }));
  const rows = shown();
  find("#list").textContent = list()?.title ?? "";
  find("#new-task").hidden = !list();
  find("#clean").disabled = !rows.some(isDone);
  find("#empty").hidden = rows.length > 0 || !list();
  find("#help").hidden = rows.length < 2;
  askForPlaces(rows);
  arrange(find("#tasks"), items, tasks, rows, newItem, fill);
}

function newItem() {
  const element = find("#task").content.firstElementChild.cloneNode(true), item = { element, row: null, seen: null };
  const [handle, box, title, remove] = element.children;
  handle.addEventListener("pointerdown", event => drag(event, item));
  handle.addEventListener("keydown", event => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(item.row, step);
  });
  box.addEventListener("change", () => attempt(() =>
    tasks.save({ ...item.row, status: box.checked ? "completed" : "needsAction" })));
  // An edit is of the row as it was when the person began: what others have changed since is a conflict, and not gone.
  title.addEventListener("focus", () => { item.seen = item.row; });
  title.addEventListener("change", () => attempt(() => tasks.save({ ...item.seen, title: title.value })));
  title.addEventListener("keydown", event => {
    if (event.key === "Escape") title.value = item.row.title;
    if (event.key === "Enter" || event.key === "Escape") title.blur();
  });
  remove.addEventListener("click", () => attempt(async () => {
    const { row } = item, next = element.nextElementSibling ?? element.previousElementSibling;
    (next?.querySelector(".remove") ?? find("#new-task input")).focus();
    await saveOrder(shownOrder(row).filter(each => each !== row), null);
    await tasks.remove(row);
  }));
  return item;
}

function fill(item, row) {
  item.row = item.element.row = row;
  const [handle, box, title, remove] = item.element.children, name = row.title || "without a title";
  item.element.classList.toggle("done", isDone(row));
  item.element.classList.toggle("child", row.parent != null);
  box.checked = isDone(row);
  // What a person is writing stays.
  if (document.activeElement !== title) title.value = row.title ?? "";
  handle.setAttribute("aria-label", `Move ${name}`);
  box.setAttribute("aria-label", `Done: ${name}`);
  title.setAttribute("aria-label", `Title of ${name}`);
  remove.setAttribute("aria-label", `Delete ${name}`);
}

// MARK: How it stands

function look({ state, conflicts, gateway }) {
  // What does not go by itself stays to be decided.
  if (conflicts) moveAgain().catch(() => {});
  const next = `${state} ${gateway?.signInNeeded}`;
  // Where nobody answers, the next state asks again.
  if (next !== account) showAccount().catch(error => error.status && complain(error));
  account = next;
}

/** A move that was done meanwhile has left the record: that is no reason not to move again what is still there. */
async function moveAgain() {
  for (const item of await local.conflicts()) {
    if (item.place === "page" && item.theirs && item.fields?.every(field => field === "previous")) await local.resolve(item, "mine");
  }
}

const askForAccount = method => asked(method, "/v1/sign-in");

async function showAccount() {
  const { state, gateway } = local.status;
  find("#sign-in").hidden = state !== "connected" || (!gateway?.signInNeeded && (await askForAccount("GET")).state?.signedIn !== false);
}

/** The gateway waits for what the browser brings to this machine; the page shows where to go. */
async function signIn() {
  const link = find("#sign-in a");
  for (let told = await askForAccount("POST"); ; told = await askForAccount("GET")) {
    const url = told.steps.find(step => step.open)?.open;
    link.hidden = !told.running || !url;
    if (url?.startsWith("http")) link.href = url;
    if (told.problem) throw new Error(told.problem.detail);
    if (!told.running) break;
    await new Promise(resolve => setTimeout(resolve, 300));
  }
  await showAccount();
}
