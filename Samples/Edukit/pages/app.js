import { atmosphere } from "/atmosphere.js";
import { merged } from "./merge.js";

const find = selector => document.querySelector(selector);
const text = find("#page-text");
let local, all = {}, rows = { courses: [], topics: [], pages: [] }, chosen = {}, endMessages, notifier;
/** The page as it was when its text was last shown: what is typed is an edit of that. */
let seen;

try {
  local = await atmosphere();
  for (const name of ["courses", "topics", "pages", "messages"]) all[name] = local.collection(name);
  local.subscribe(showStatus);
  local.addEventListener("problem", event => complain(event.detail));
  for (const [name, sort] of [["courses", "name"], ["topics", "title"], ["pages", "title"]]) {
    all[name].subscribe({ sort }, found => { rows[name] = found; showCourses(); if (name === "pages") showPage(); });
  }
  find("#say").addEventListener("submit", say);
  find("#write").addEventListener("submit", save);
  text.addEventListener("input", showPage);
  find("#notify").addEventListener("change", event => event.target.checked ? listen() : unlisten());
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

// MARK: Courses

function showCourses() {
  const focused = document.activeElement?.dataset?.key;
  find("#courses").replaceChildren(...rows.courses.map(course => {
    const section = document.createElement("section"), heading = document.createElement("h2"), list = document.createElement("ul");
    const members = document.createElement("p");
    heading.textContent = course.name;
    members.textContent = course.members.join(", ");
    for (const [kind, sign] of [["topics", "#"], ["pages", "¶"]]) {
      for (const row of rows[kind].filter(each => each.course_id === course.id)) {
        const item = document.createElement("li"), button = document.createElement("button"), id = all[kind].idOf(row);
        button.type = "button";
        button.dataset.key = `${kind}/${id}`;
        button.append(hidden(sign), ` ${row.title}`);
        if (chosen.kind === kind && chosen.id === id) button.setAttribute("aria-current", "true");
        button.addEventListener("click", () => choose(kind, id));
        item.append(button);
        list.append(item);
      }
    }
    section.append(heading, members, list);
    return section;
  }));
  if (focused) document.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function hidden(sign) {
  const element = document.createElement("span");
  element.setAttribute("aria-hidden", "true");
  element.textContent = sign;
  return element;
}

function choose(kind, id) {
  if (text.value !== seen?.text && seen && !confirm("What you have typed is not saved. Leave the page?")) return;
  chosen = { kind, id };
  seen = undefined;
  endMessages?.();
  find("#welcome").hidden = true;
  find("#topic").hidden = kind !== "topics";
  find("#page").hidden = kind !== "pages";
  showCourses();
  if (kind === "pages") return showPage();
  find("#topic-title").textContent = rows.topics.find(row => all.topics.idOf(row) === id).title;
  endMessages = all.messages.subscribe({ where: { topic_id: id }, sort: "written_at" }, showMessages);
}

// MARK: Messages

function showMessages(found) {
  find("#messages").replaceChildren(...found.map(({ author, text, created_at }) => {
    const item = document.createElement("li"), name = document.createElement("b");
    name.textContent = author ?? "me";
    item.append(name, text);
    if (!created_at) {
      const state = document.createElement("span");
      state.className = "quiet";
      state.textContent = "  to be sent";
      item.append(state);
    }
    return item;
  }));
}

async function say(event) {
  event.preventDefault();
  const field = find("#text");
  await attempt(async () => {
    await all.messages.save({ topic_id: chosen.id, text: field.value, written_at: new Date().toISOString() });
    field.value = "";
  });
}

// MARK: Pages

/** What others save comes into the text at once, also while somebody types. */
function showPage() {
  const row = chosen.kind === "pages" && rows.pages.find(each => all.pages.idOf(each) === chosen.id);
  if (!row) return;
  find("#page-title").textContent = row.title;
  const both = seen ? merged(seen.text, text.value, row.text) : row.text;
  if (both !== null) {
    const place = text.selectionStart;
    if (text.value !== both) text.value = both;
    if (document.activeElement === text) text.setSelectionRange(place, place);
    seen = row;
  }
  showState(both === null ? row.edited_by : null);
}

function showState(other) {
  const editor = seen?.edited_by ? `last edited by ${seen.edited_by}` : "";
  find("#page-state").textContent =
    text.value === seen?.text ? editor : other ? `not saved; ${other} has changed the same lines` : "not saved";
}

async function save(event) {
  event.preventDefault();
  await attempt(async () => {
    const saved = await all.pages.save({ ...seen, text: text.value });
    seen = { ...saved, text: text.value };
    showPage();
  });
}

/** Two edits of one page clash only where both have changed the same lines. */
async function showConflicts() {
  const items = await local.conflicts().catch(() => []);
  const clashes = items.filter(({ kind, fields }) => kind !== "refused" && fields?.length === 1 && fields[0] === "text");
  for (const item of clashes) {
    const both = item.base && item.mine && item.theirs && merged(item.base.text, item.mine.text, item.theirs.text);
    if (typeof both === "string") await attempt(() => local.resolve(item, { text: both }));
  }
  const item = clashes.find(({ id }) => chosen.kind === "pages" && String(id) === chosen.id);
  find("#conflict").hidden = !item;
  find("#theirs").textContent = item?.theirs?.text ?? "It was deleted.";
  for (const button of document.querySelectorAll("#conflict button")) {
    button.onclick = () => attempt(async () => {
      await local.resolve(item, button.value);
      seen = undefined;
      showPage();
      await showConflicts();
    });
  }
}

// MARK: Notifications

/** They are for whoever looks: from now on, and until the box is not ticked any more. */
function listen() {
  notifier = new EventSource("/v1/events");
  notifier.addEventListener("ready", () => { find("#notify").dataset.state = "on"; });
  notifier.addEventListener("notification", event => {
    const { data } = JSON.parse(event.data), item = document.createElement("p");
    item.textContent = data.about === "page" ? `${data.by} has edited “${data.page}”` : `${data.by} asks you in “${data.topic}”: ${data.text}`;
    find("#notifications").append(item);
    find("#notifications").hidden = false;
  });
}

function unlisten() {
  notifier?.close();
  delete find("#notify").dataset.state;
}

// MARK: How it stands

function showStatus({ state, pending, refused, message, gateway }) {
  const words = {
    starting: "opening …", connected: "in step with the gateway", unreachable: "the gateway does not answer; go on writing",
    signedOut: "open the link that the gateway printed", foreign: "another gateway answers here",
  };
  const parts = [words[state]];
  if (state === "connected" && gateway?.unreachable) parts[0] = "the school is not reached; go on writing";
  else if (state === "connected") parts[0] = gateway?.live?.state === "connected" ? "live" : "not live; what others write comes later";
  if (pending && state !== "connected") parts.push(`${pending} to be sent`);
  if (refused) parts.push(`${refused} refused`);
  const line = find("#status");
  line.textContent = parts.join(" · ");
  line.title = message;
  Object.assign(line.dataset, { state, pending, live: gateway?.live?.state ?? "off" });
  attempt(showConflicts);
}
