import { CheckView } from "./check-view.js";
import { conflictsView } from "./conflicts-view.js";
import { fill, h } from "./dom.js";
import { doubtsView } from "./doubts-view.js";
import { access } from "./gateway.js";
import { LockedDialog, lockedElement } from "./locked.js";
import { LogView } from "./log-view.js";
import { confirmed, emptyElement, problemElement } from "./messages.js";
import { ObjectsView } from "./objects-view.js";
import { refusalsView } from "./refusals-view.js";
import { go, here, link } from "./router.js";
import { SettingsView } from "./settings-view.js";
import { Shell } from "./shell.js";
import { Studio } from "./studio.js";
import { visible } from "./text.js";
import { WaitingView } from "./waiting-view.js";

const views = {
  __proto__: null,
  conflicts: conflictsView,
  rejected: refusalsView,
  unknown: doubtsView,
  objects: (...values) => new ObjectsView(...values),
  waiting: (...values) => new WaitingView(...values),
  log: (...values) => new LogView(...values),
  check: (...values) => new CheckView(...values),
  settings: (...values) => new SettingsView(...values),
};
const studio = new Studio();
let shell = null;
let shown = null;
let isLocked = false;

access.addEventListener("locked", () => {
  if (shell) return;
  isLocked = true;
  document.title = "Studio";
  fill(document.body, lockedElement());
});

async function start() {
  try {
    await studio.start();
  } catch (problem) {
    if (!isLocked) fill(document.body, h("main.locked", {}, h("h1", {}, "Studio"), problemElement(problem, { again: start })));
    return;
  }
  shell = new Shell(studio);
  fill(document.body, shell.element, new LockedDialog(studio).element);
  addEventListener("hashchange", move);
  addEventListener("beforeunload", (event) => shown?.view.isLeft?.({ parts: [] }) && event.preventDefault());
  addEventListener("keydown", press);
  show(false);
}

/** Goes to the place of the address, unless that would lose what is written. */
async function move() {
  const wanted = location.hash;
  if (shown?.view.isLeft?.(here())) {
    const before = shown.address;
    go(before, { replaces: true });
    // The question stands already.
    if (document.querySelector("dialog[open]")) return;
    const isSure = await confirmed({
      title: "Leave without saving?", text: "What you have written here is not saved.", yes: "Leave", no: "Stay", isGrave: true,
    });
    if (!isSure) return;
    shown.view.dropEdits();
    go(wanted);
    return;
  }
  show(true);
}

/** Shows the view of the address. */
function show(isMove) {
  const place = here();
  const [name, entity] = place.parts;
  if (!name) return go(firstPlace(), { replaces: true });
  const key = name === "objects" || name === "settings" ? `${name}/${entity ?? ""}` : name;
  shell.showPlace();
  if (shown?.key === key) {
    shown.address = location.hash;
    return shown.view.update?.(place);
  }
  shown?.life.abort();
  const life = new AbortController();
  const isKnown = views[name] && (name !== "objects" || studio.entities.has(entity));
  const view = isKnown ? views[name](studio, place, life.signal) : nothing();
  shown = { key, view, life, address: location.hash };
  fill(shell.main, view.element);
  document.title = `${visible(view.title)} · Studio`;
  if (isMove) view.focus();
  return undefined;
}

/** What is to be decided; else the first entity. */
function firstPlace() {
  const open = [["conflicted", "conflicts"], ["rejected", "rejected"], ["unknown", "unknown"]]
    .find(([state]) => studio.total(state));
  return link(open ? [open[1]] : ["objects", [...studio.entities.keys()][0] ?? ""]);
}

function nothing() {
  const heading = h("h1", { tabindex: "-1" }, "Nothing here");
  const element = h("div.page", {}, heading, emptyElement("There is no such place", "Choose one from the side."));
  return { title: "Nothing here", element, focus: () => heading.focus() };
}

/** The keys that work everywhere. */
function press(event) {
  if (saves(event)) return;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    shell.closeMenu();
    return;
  }
  if (event.target.matches("input, textarea, select")) return;
  const actions = {
    "/": () => shell.main.querySelector("[data-search]")?.focus(),
    "?": () => shell.showHelp(),
    n: () => shell.main.querySelector("[data-create]:not([hidden])")?.click(),
  };
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

/** Presses the button that saves what the focus is in, where there is one and this is the key for it. */
function saves(event) {
  const isKey = event.key === "Enter" && !event.isComposing
    && (event.ctrlKey || event.metaKey || event.target.matches(".field input"));
  const button = isKey ? event.target.closest(".panel, .card")?.querySelector("[data-save]") : null;
  if (!button?.checkVisibility()) return false;
  event.preventDefault();
  // A key that is held is one wish.
  if (!event.repeat) button.click();
  return true;
}

start();
