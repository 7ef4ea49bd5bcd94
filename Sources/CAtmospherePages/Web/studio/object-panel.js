import { Attachments } from "./attachments.js";
import { fill, h, later, unique } from "./dom.js";
import { objectLink } from "./fields.js";
import { ask, divided, get, objectPath, Problem } from "./gateway.js";
import { icon } from "./icons.js";
import { write } from "./json.js";
import { confirmed, problemElement } from "./messages.js";
import { nameElement, nameOf } from "./names.js";
import { editedWords, RecordForm } from "./record-form.js";
import { requestsElement } from "./requests.js";
import { link } from "./router.js";
import { cut, reasonWords, stateElement, stateWord, timeElement, valueElement, visible } from "./text.js";

const tabs = [["members", "Members"], ["waiting", "Waiting"], ["history", "History"]];

/** One object: its members to edit, what waits of it, its history. */
export class ObjectPanel {
  #studio;
  #entity;
  #uri;
  #actions;
  #tag = null;
  #state = null;
  #tab = "members";
  #life = new AbortController();

  constructor(studio, entity, uri, place, actions) {
    this.#studio = studio;
    this.#entity = entity;
    this.#uri = uri;
    this.#actions = actions;
    this.attachments = new Attachments(studio, entity);
    this.#make();
    this.#choose(place.query.get("tab") ?? "members");
    const renew = later(60, () => this.#read());
    const options = { signal: this.#life.signal };
    studio.feed.addEventListener("changed", ({ detail }) => {
      if (detail.entity === entity.name && (!detail.ids || detail.ids.includes(divided(this.#uri)[1]))) renew();
      else if (this.#tab === "history") renew();
    }, options);
    studio.feed.addEventListener("status", () => (this.#tab === "members" ? null : renew()), options);
    studio.feed.addEventListener("again", renew, options);
    this.#read();
  }

  #make() {
    this.heading = h("h2", { tabindex: "-1" });
    this.name = h("bdi.object-name");
    this.sign = h("span.sign");
    this.place = h("div.place");
    this.banner = h("div.place");
    const names = unique("tab");
    this.tabs = tabs.map(([key, word]) => h("button.tab", {
      role: "tab", id: `${names}-${key}`, "aria-controls": `${names}-panel`, type: "button", "data-tab": key,
      onclick: () => this.#choose(key), onkeydown: (event) => this.#pressTab(event),
    }, word));
    this.body = h("div.panel-body", { role: "tabpanel", id: `${names}-panel`, tabindex: "0" });
    this.edited = h("span.edited-words", { role: "status" });
    this.save = h("button.button.primary", { type: "button", "data-save": "", onclick: () => this.#save() }, "Save");
    this.drop = h("button.button", { type: "button", onclick: () => this.#drop() }, "Drop edits");
    this.foot = h("footer.panel-foot", { hidden: true }, this.edited, h("span.gap"), this.drop, this.save);
    this.buttons = h("div.panel-actions");
    this.element = h("section.panel", { "aria-label": `Object ${this.#uri}`, onkeydown: (event) => this.#press(event) },
      h("header.panel-head", {},
        h("button.plain.back", { type: "button", "aria-label": "Back to the table", onclick: () => this.#actions.close() },
          icon("back")),
        this.heading, this.sign, h("span.gap"),
        h("button.plain.close", { type: "button", "aria-label": "Close", onclick: () => this.#actions.close() }, icon("close"))),
      this.buttons, this.banner, this.place,
      h("div.tabs", { role: "tablist", "aria-label": "Parts of the object" }, this.tabs), this.body, this.foot);
    this.#showName();
  }

  #showName() {
    const [, id] = divided(this.#uri);
    fill(this.heading, this.name, h("span.address", {}, h("bdi.entity-name", {}, visible(this.#entity.name)), " ",
      h("bdi.id", { title: id }, visible(id))));
    this.element.setAttribute("aria-label", `Object ${visible(this.#uri)}`);
  }

  // Reading

  async #read() {
    const { signal } = this.#life;
    try {
      const [state, members] = await Promise.all([get(objectPath(this.#uri, "state"), signal),
        this.#studio.members(this.#entity.name)]);
      if (signal.aborted) return;
      const record = state.record && await ask("GET", objectPath(state.uri), { signal }).catch(() => null);
      if (state.uri !== this.#uri) this.#move(state.uri);
      this.#take(state, record, members);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      fill(this.banner, problemElement(problem));
      fill(this.buttons);
    }
  }

  /** The object has another address by now. */
  #move(uri) {
    this.#uri = uri;
    this.#showName();
    this.#actions.moved(uri);
  }

  #take(state, answer, members) {
    this.#state = state;
    this.#tag = answer?.headers.get("ETag") ?? null;
    const record = answer?.value ?? state.record;
    this.name.textContent = nameOf(record ?? state.base);
    this.name.title = this.name.textContent;
    fill(this.sign, state.state !== "synchronized" && stateElement(state.state));
    fill(this.banner, this.#bannerElement());
    this.#showButtons();
    if (record && this.form) this.form.renew(record);
    else if (record) this.#makeForm(record, members);
    else if (!this.isEdited) this.form = null;
    this.attachments.show(state);
    this.#showTab();
    this.#showEdited();
  }

  #makeForm(record, members) {
    const isReadOnly = this.#studio.isReadOnly || !this.#entity.updates && this.#state.state !== "new";
    this.form = new RecordForm(this.#entity, members, record, { isReadOnly, onedit: () => this.#showEdited() });
    this.formElement = h("div", {}, this.form.element, this.attachments.element);
  }

  #bannerElement() {
    const { decision, refusal, state } = this.#state;
    if (decision?.state === "conflicted") return this.#notice("Both sides changed this object.", "conflicts", "Decide");
    if (decision?.state === "unknown") return this.#notice("Nobody knows whether the server has done this change.", "unknown",
      "Decide");
    if (refusal) return this.#notice(["The server refused: ", h("bdi", {}, visible(refusal.message))], "rejected", "Fix it");
    if (state === "deleted") return this.#notice("Deleted here; the next push deletes it on the server.");
    return null;
  }

  #notice(words, view, action) {
    return h("div.notice", { "data-state": this.#state.state }, icon("alert"), h("span", {}, words),
      view && h("a.button.small", { href: link([view, this.#uri]) }, action));
  }

  #showButtons() {
    if (this.#studio.isReadOnly) return fill(this.buttons);
    const { state } = this.#state;
    const make = (name, word, run, kind = "button.button.small") =>
      h(kind, { type: "button", "data-action": name, onclick: run }, word);
    const focused = document.activeElement?.dataset?.action;
    fill(this.buttons,
      this.#entity.actions.filter((action) => action.ofObject && this.#state.record).map((action) =>
        make(`act-${action.name}`, visible(action.name), () => this.#act(action))),
      state !== "new" && make("refresh", "Ask the server", () => this.#post("refresh", "Read from the server.")),
      ["rejected", "changed", "new", "deleted"].includes(state) && this.#state.refusal
        && make("retry", "Try again", () => this.#post("retry", "The next push tries again.")),
      state !== "synchronized" && make("discard", "Discard", () => this.#discard()),
      this.#entity.deletes && this.#state.record
        && make("delete", [icon("trash"), "Delete"], () => this.#delete(), "button.button.small.grave-quiet"));
    if (focused) this.buttons.querySelector(`[data-action="${CSS.escape(focused)}"]`)?.focus();
    return undefined;
  }

  // Tabs

  update(place) {
    this.#choose(place.query.get("tab") ?? this.#tab);
  }

  #choose(key) {
    this.#tab = tabs.some(([name]) => name === key) ? key : "members";
    for (const tab of this.tabs) {
      const isChosen = tab.dataset.tab === this.#tab;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) this.body.setAttribute("aria-labelledby", tab.id);
    }
    if (this.#state) this.#showTab();
  }

  #pressTab(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const index = (this.tabs.findIndex((tab) => tab.dataset.tab === this.#tab) + step + tabs.length) % tabs.length;
    this.#choose(tabs[index][0]);
    this.tabs[index].focus();
  }

  #showTab() {
    if (this.#tab === "members") {
      const shown = this.form ? this.formElement : h("p.quiet-words", {}, "There is no record here.");
      if (this.body.firstChild !== shown) fill(this.body, shown);
    } else if (this.#tab === "waiting") this.#showWaiting();
    else this.#showHistory();
  }

  async #showWaiting() {
    const { state, reason, waitsFor, former, base, record, edited } = this.#state;
    const parts = [
      h("dl.facts", {},
        h("dt", {}, "State"), h("dd", {}, stateWord(state)),
        reason && [h("dt", {}, "Why"), h("dd", {}, h("bdi", {}, reasonWords(reason)))],
        waitsFor.length > 0 && [h("dt", {}, "Waits for"),
          h("dd", {}, waitsFor.map((uri) => h("span", {}, objectLink(uri), " ", nameElement(uri))))],
        former.length > 0 && [h("dt", {}, "Former addresses"), h("dd", {}, former.map((uri) => h("code", {}, visible(uri))))]),
    ];
    let areShown = false;
    if (state !== "synchronized") {
      try {
        const diff = await get(`/v1/diff?object=${encodeURIComponent(this.#uri)}`, this.#life.signal);
        areShown = diff.requests.some(({ changes }) => changes.length > 0);
        const isNothing = !diff.requests.length && !diff.held.length;
        parts.push(h("h3", {}, "What a push would send"), isNothing ? h("p.quiet-words", {}, "Nothing, as it stands.")
          : requestsElement(diff));
      } catch (problem) {
        if (problem.name === "AbortError") return;
        parts.push(problemElement(problem));
      }
    }
    // A request shows the same, member by member.
    if (base && edited.length && !areShown) parts.push(baseElement(base, record, edited));
    if (this.#tab === "waiting") fill(this.body, parts);
  }

  async #showHistory() {
    try {
      const log = await get(`${objectPath(this.#uri, "log")}?limit=200`, this.#life.signal);
      if (this.#tab !== "history") return;
      fill(this.body, log.items.length
        ? h("ol.history", {}, log.items.toReversed().map(({ time, message }) =>
          h("li", {}, timeElement(time), h("p", {}, h("bdi", {}, visible(message))))))
        : h("p.quiet-words", {}, "Nothing is written of this object yet."));
    } catch (problem) {
      if (problem.name !== "AbortError") fill(this.body, problemElement(problem));
    }
  }

  // Editing

  #showEdited() {
    const words = this.form ? editedWords(this.form) : "";
    this.foot.hidden = !words;
    if (this.edited.textContent !== words) this.edited.textContent = words;
  }

  #press(event) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.#actions.close();
  }

  async #save() {
    if (!this.form?.isEdited) return;
    const { set, removed, wrong } = this.form.changes();
    if (wrong) {
      wrong.input?.focus();
      return;
    }
    await this.#try(async () => {
      const query = removed.map((name) => `remove=${encodeURIComponent(name)}`).join("&");
      const headers = this.#tag ? { "If-Match": this.#tag } : {};
      const answer = await ask("PATCH", objectPath(this.#uri) + (query ? "?" + query : ""), { value: set, headers });
      this.#tag = answer.headers.get("ETag");
      this.form.saved({ set, removed }, answer.value);
      this.#studio.say(savedWords(await get(objectPath(this.#uri, "state"))));
    });
  }

  /** Whether something is written that is not saved. */
  get isEdited() {
    return Boolean(this.form?.isEdited);
  }

  dropEdits() {
    this.form?.drop();
  }

  #drop() {
    this.form.drop();
    this.#showEdited();
    this.heading.focus();
  }

  async #delete() {
    const isNew = this.#state.state === "new";
    const isSure = await confirmed({
      title: `Delete ${visible(cut(this.#uri, 60))}?`, yes: "Delete", no: "Keep", isGrave: true,
      text: isNew ? "The server has never seen it: it vanishes."
        : "The next push deletes it on the server. Until then Discard brings it back.",
    });
    if (!isSure) return;
    await this.#try(async () => {
      await ask("DELETE", objectPath(this.#uri));
      this.form?.drop();
      this.#studio.say(isNew ? "Deleted." : "Deleted here; the next push deletes it on the server.");
      this.#actions.close();
    });
  }

  async #discard() {
    const isNew = this.#state.state === "new";
    const isSure = await confirmed({
      title: "Discard what was edited here?", yes: "Discard", no: "Keep", isGrave: true,
      text: isNew ? "The server does not know this object: it vanishes." : "The object is as the server has it again.",
    });
    if (!isSure) return;
    await this.#try(async () => {
      this.form?.drop();
      const { value } = await ask("POST", objectPath(this.#uri, "discard"));
      this.#studio.say(value.mayBeDone ? "Discarded here; the server may have done it all the same." : "Discarded.");
      if (isNew) this.#actions.close();
    });
  }

  #post(action, words) {
    return this.#try(async () => {
      await ask("POST", objectPath(this.#uri, action));
      this.#studio.say(words);
    });
  }

  async #act(action) {
    const values = action.arguments.length ? await argumentsFor(action) : {};
    if (!values) return;
    await this.#try(async () => {
      const { value } = await ask("POST", objectPath(this.#uri, "actions", action.name), { value: values });
      this.#studio.say(`${action.name} is done.`);
      if (value.answer !== null) fill(this.place, answerElement(action.name, value.answer));
    });
  }

  async #try(work) {
    fill(this.place);
    try {
      await work();
      await this.#read();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.status === 412) await this.#read();
      problem.fields = this.form?.say(problem.fields) ?? problem.fields;
      fill(this.place, problemElement(problem));
    }
  }

  focus() {
    this.heading.focus();
  }

  end() {
    this.#life.abort();
  }
}

/** When an edit is sent. */
function savedWords({ decision }) {
  if (decision?.state === "conflicted") return "Saved here; it is sent when the conflict is decided.";
  return decision?.state === "unknown" ? "Saved here; it is sent when it is clear what became of the change before."
    : "Saved here; the next push sends it.";
}

function baseElement(base, record, edited) {
  return h("section", {}, h("h3", {}, "What the server confirmed last"),
    h("table.changes", {}, h("thead", {}, h("tr", {},
      ["member", "there", "here"].map((word) => h("th", { scope: "col" }, word)))),
      h("tbody", {}, edited.map((name) => h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, visible(name))),
        h("td.from", {}, valueElement(base[name], 300)), h("td.to", {}, valueElement(record?.[name], 300)))))));
}

function answerElement(name, answer) {
  return h("details.answer", { open: true }, h("summary", {}, `The answer to ${visible(name)}`),
    h("pre.code-block", { tabindex: "0", "aria-label": "Answer" }, visible(cut(write(answer, 2), 20_000))));
}

/** Asks a person for the arguments of an action; null where there shall be no action. */
function argumentsFor(action) {
  return new Promise((resolve) => {
    const inputs = action.arguments.map((name) => [name, h("input", { id: unique("argument"), autocomplete: "off" })]);
    const id = unique("dialog");
    const dialog = h("dialog.dialog", { "aria-labelledby": id, onclose: () => {
      dialog.remove();
      const given = inputs.filter(([, input]) => input.value !== "").map(([name, input]) => [name, input.value]);
      resolve(dialog.returnValue === "yes" ? Object.fromEntries(given) : null);
    } }, h("form", { onsubmit: (event) => {
      event.preventDefault();
      dialog.close("yes");
    } }, h("h2", { id }, visible(action.name)), h("div.fields", {}, inputs.map(([name, input]) =>
      h("div.field", {}, h("label.field-label", { for: input.id }, visible(name)), input))),
    h("div.row.end", {}, h("button.button", { type: "button", onclick: () => dialog.close("no") }, "Cancel"),
      h("button.button.primary", { type: "submit" }, "Call"))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
