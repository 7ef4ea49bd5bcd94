import { CreatePanel } from "./create-panel.js";
import { fill, h, later, spaced, unique } from "./dom.js";
import { Grid } from "./grid.js";
import { icon } from "./icons.js";
import { kindOf, recordOf } from "./json.js";
import { problemElement } from "./messages.js";
import { mainMembers } from "./names.js";
import { ObjectPanel } from "./object-panel.js";
import { RecordPages } from "./record-pages.js";
import { go, link } from "./router.js";
import { membersOf } from "./studio.js";
import { count, cut, plain, visible } from "./text.js";

const operators = { "~=": "contains", "*=": "contains as written", "^=": "begins with", "=": "is", "!=": "is not", "<": "below",
  "<=": "at most", ">": "above", ">=": "at least" };

/** The table of an entity, with its search, its filters, and beside it the object that is open. */
export class ObjectsView {
  #studio;
  #entity;
  #signal;
  #place = null;
  #query = null;
  #pages = null;
  #columns = [];
  #panel = null;
  #shown = null;

  constructor(studio, place, signal) {
    this.#studio = studio;
    this.#entity = studio.entities.get(place.parts[1]);
    this.#signal = signal;
    this.title = this.#entity.name;
    this.#make();
    this.update(place);
    const renew = spaced(500, () => this.#pages.expire());
    studio.feed.addEventListener("changed", ({ detail }) => detail.entity === this.#entity.name && renew(), { signal });
    studio.feed.addEventListener("again", renew, { signal });
    signal.addEventListener("abort", () => this.#pages?.end());
  }

  #make() {
    this.heading = h("h1", { tabindex: "-1" }, h("bdi", {}, visible(this.#entity.name)));
    this.total = h("p.total", { role: "status" });
    this.grid = new Grid(`${this.#entity.name}, a table`);
    this.grid.addEventListener("open", ({ detail }) => this.#open(detail.uri));
    this.grid.addEventListener("sort", ({ detail }) => this.#sort(detail));
    this.grid.addEventListener("unsortable", ({ detail }) => this.#studio.say(detail === ""
      ? "A table is not sorted by state; Waiting lists what is not in step."
      : "A table is not sorted by identifiers that are no member."));
    this.problem = h("div.place");
    this.hint = h("p.hint", { hidden: true });
    this.filters = h("ul.filters", { "aria-label": "Filters" });
    this.aside = h("div.aside", { hidden: true });
    const id = unique("search");
    this.member = h("select", { "aria-label": "Member to search", onchange: () => this.#search() });
    this.input = h("input", {
      id, type: "search", placeholder: "Search", "data-search": "", autocomplete: "off", spellcheck: "false",
      oninput: later(250, () => this.#search()), onkeydown: (event) => this.#leaveSearch(event),
    });
    this.create = h("a.button.primary", { "data-create": "", hidden: !this.#entity.creates || this.#studio.isReadOnly },
      icon("add"), "New");
    this.main = h("div.table-side", {},
      h("header.view-head", {}, this.heading, this.total, h("span.gap"), this.create),
      h("div.tools", { role: "search" },
        h("label.hidden-label", { for: id }, "Search"),
        h("div.search", {}, icon("search"), this.input, this.member), this.#filterTool(), this.filters),
      this.problem, this.hint, this.grid.element);
    this.element = h("div.objects", {}, this.main, this.aside);
  }

  /** The place within the table has changed: another order, another filter, another object. */
  update(place) {
    this.#place = place;
    const query = new URLSearchParams();
    for (const name of ["where", "sort"]) for (const value of place.query.getAll(name)) query.append(name, value);
    const [member, text] = [place.query.get("in"), place.query.get("q")];
    if (member && text) query.append("where", `${member}~=${text}`);
    if (String(query) !== this.#query) this.#list(String(query), query);
    if (document.activeElement !== this.input) this.input.value = text ?? "";
    this.create.href = this.#address({ isNew: true });
    this.#showFilters();
    this.#showPanel();
  }

  // The rows

  #list(text, query) {
    this.#query = text;
    this.#pages?.end();
    this.#pages = new RecordPages(this.#entity.name, query, digest);
    this.#pages.addEventListener("rows", ({ detail }) => this.#rows(detail));
    const pages = this.#pages;
    pages.addEventListener("busy", () => pages === this.#pages
      && this.grid.element.setAttribute("aria-busy", String(pages.isBusy)));
    this.#pages.addEventListener("failed", ({ detail }) => this.#fail(detail));
    fill(this.total, "Reading…");
    if (this.#columns.length) this.grid.setColumns(this.#columns, this.#order);
    this.grid.setPages(this.#pages);
    this.grid.draw();
  }

  get #order() {
    return this.#place.query.get("sort") ?? "";
  }

  #rows({ records }) {
    fill(this.problem);
    const isPart = this.#query.startsWith("where=") || this.#query.includes("&where=");
    const text = isPart ? `${count(this.#pages.total)} found` : count(this.#pages.total);
    if (this.total.textContent !== text) fill(this.total, text);
    this.element.classList.toggle("empty", this.#pages.total === 0);
    this.#learnFrom(records).then(() => this.#showHint());
    this.grid.follow();
    this.grid.draw();
    this.grid.select(this.#shown);
  }

  /** The columns come from the records; where none is found, from those that nobody asked for. */
  async #learnFrom(records) {
    if (records.length || !this.#query) {
      if (!this.#query) this.#studio.learn(this.#entity.name, records);
      this.#learn(membersOf(records, this.#entity));
    } else if (!this.#columns.length) {
      this.#learn(await this.#studio.members(this.#entity.name).catch(() => membersOf([], this.#entity)));
    }
  }

  /** Says why a search finds nothing, or how an order by a member gets fast, where it is not. */
  #showHint() {
    const [name, text] = [this.#place.query.get("in"), this.#place.query.get("q")];
    const kind = this.#columns.find((column) => column.name === name)?.kind;
    const isTextless = text && this.#pages.total === 0 && ["number", "boolean"].includes(kind);
    if (!isTextless) return this.#showIndexHint();
    const query = new URLSearchParams(this.#place.query);
    query.delete("in");
    query.delete("q");
    query.append("where", `${name}=${text}`);
    this.hint.hidden = false;
    return fill(this.hint, "A search looks into texts, and ", h("b", {}, h("bdi", {}, visible(name))), ` holds ${
      kind === "number" ? "numbers" : "true or false"}. `, h("a", { href: link(this.#place.parts, query) },
      "Filter for ", h("bdi", {}, visible(`${name} = ${text}`))), ".");
  }

  #showIndexHint() {
    const name = this.#order.replace(/^-/, "");
    const indexes = this.#entity.settings.find(({ path }) => path.endsWith(".indexes"))?.value ?? "";
    const isKept = [...indexes.matchAll(/\[\[?([^,\]]+)/g)].some(([, first]) => first.trim() === name);
    this.hint.hidden = !this.#pages.isSlow || !name || isKept;
    if (!this.hint.hidden) {
      fill(this.hint, "Each page of this order costs a look at every row. An index makes it fast: ",
        h("code", {}, visible(`indexes: [${name}]`)), " in the route file.");
    }
  }

  #fail(problem) {
    // Another try of the same does not help.
    if (problem.status === 422) problem.title = "This search or filter cannot be used";
    fill(this.problem, problemElement(problem, problem.status === 422 ? {} : { again: () => {
      fill(this.problem);
      this.grid.draw();
    } }));
    fill(this.total);
    this.hint.hidden = true;
  }

  /** Takes columns that are not there yet; those that are keep their places. */
  #learn(members) {
    const known = new Set(this.#columns.map((column) => column.name));
    const added = members.filter(({ name }) => !known.has(name) && name !== "" && name !== this.#entity.id).slice(0, 40);
    if (this.#columns.length && !added.length) return;
    if (!this.#columns.length) {
      this.#columns = this.#fixedColumns(members);
      // What a person knows an object by stands first.
      const main = likely(members.map(({ name }) => name));
      added.sort((one, other) => (other.name === main) - (one.name === main));
    }
    this.#columns.push(...added.map(({ name, kind }) => this.#column(name, kind)));
    this.grid.setColumns(this.#columns, this.#order);
    this.#offerMembers();
  }

  #fixedColumns(members) {
    const id = this.#entity.id;
    const isMember = members.some(({ name }) => name === id);
    return [
      { name: isMember ? id : " id", label: isMember ? id : "identifier", width: 84, share: 0.4, sorts: isMember },
      { name: "", label: "state", width: 92, share: 0, sorts: false },
    ];
  }

  #column(name, kind) {
    const isNumber = kind === "number" || ["integer", "decimal", "float"].includes(this.#entity.types[name]);
    const isText = kind === "string" && ["string", undefined].includes(this.#entity.types[name]);
    const isMain = mainMembers.includes(name) && isText;
    const [width, share] = isNumber || kind === "boolean" ? [84, 0.4] : isMain ? [280, 3] : isText ? [170, 1.5] : [124, 1];
    return { name, kind, label: visible(cut(name, 60)), width, share, sorts: true, isNumber };
  }

  #offerMembers() {
    const names = this.#columns.map((column) => column.name).filter((name) => name !== "" && name !== " id");
    const chosen = this.#place.query.get("in") ?? this.member.value;
    fill(this.member, names.map((name) => h("option", { value: name }, visible(name))));
    this.member.value = names.includes(chosen) ? chosen : likely(names);
    fill(this.filterMember, names.map((name) => h("option", { value: name }, visible(name))));
  }

  #sort(name) {
    const next = this.#order === name ? `-${name}` : this.#order === `-${name}` ? "" : name;
    const query = new URLSearchParams(this.#place.query);
    if (next) query.set("sort", next);
    else query.delete("sort");
    go(link(this.#place.parts, query), { replaces: true });
    this.#studio.say(next ? `Sorted by ${name}, ${next.startsWith("-") ? "descending" : "ascending"}`
      : "In the order of the store");
  }

  // Search and filters

  #search() {
    const query = new URLSearchParams(this.#place.query);
    query.delete("in");
    query.delete("q");
    if (this.input.value) {
      query.set("in", this.member.value);
      query.set("q", this.input.value);
    }
    go(link(this.#place.parts, query), { replaces: true });
  }

  #leaveSearch(event) {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      this.#search();
      this.grid.focus();
    } else if (event.key === "Escape" && !this.input.value) {
      event.stopPropagation();
      this.grid.focus();
    }
  }

  #filterTool() {
    this.filterMember = h("select", { "aria-label": "Member" });
    const operator = h("select", { "aria-label": "Comparison" },
      Object.entries(operators).map(([sign, word]) => h("option", { value: sign }, word)));
    operator.value = "=";
    const value = h("input", { "aria-label": "Value", placeholder: "value", autocomplete: "off" });
    const form = h("form.filter-form", {
      hidden: true,
      onsubmit: (event) => {
        event.preventDefault();
        const query = new URLSearchParams(this.#place.query);
        query.append("where", this.filterMember.value + operator.value + value.value);
        value.value = "";
        open(false);
        go(link(this.#place.parts, query));
      },
      onkeydown: (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        open(false);
      },
    }, this.filterMember, operator, value, h("button.button.small", { type: "submit" }, "Add"));
    const button = h("button.button.quiet", { type: "button", "aria-expanded": "false", onclick: () => open(form.hidden) },
      icon("filter"), "Filter");
    const open = (isOpen) => {
      form.hidden = !isOpen;
      button.setAttribute("aria-expanded", String(isOpen));
      (isOpen ? this.filterMember : button).focus();
    };
    return [button, form];
  }

  #showFilters() {
    const all = this.#place.query.getAll("where");
    this.filters.hidden = !all.length;
    fill(this.filters, all.map((text, index) => h("li", {}, h("bdi", {}, visible(text)),
      h("button.plain", { type: "button", "aria-label": `Remove the filter ${text}`,
        onclick: () => this.#removeFilter(index) }, icon("close")))));
  }

  #removeFilter(index) {
    const query = new URLSearchParams(this.#place.query);
    const kept = query.getAll("where").filter((_, each) => each !== index);
    query.delete("where");
    for (const text of kept) query.append("where", text);
    go(link(this.#place.parts, query));
    this.grid.focus();
  }

  // The object beside

  #address({ id, isNew } = {}) {
    const query = new URLSearchParams(this.#place?.query ?? "");
    query.delete("new");
    query.delete("tab");
    if (isNew) query.set("new", "1");
    return link(["objects", this.#entity.name, ...(id === undefined ? [] : [id])], query);
  }

  #open(uri) {
    go(this.#address({ id: uri.slice(uri.indexOf("/") + 1) }));
  }

  #close() {
    go(this.#address());
    this.grid.focus();
  }

  #showPanel() {
    const wanted = this.#wanted(this.#place);
    if (wanted === this.#shown && this.#panel) return this.#panel.update?.(this.#place);
    if (wanted === this.#shown) return undefined;
    this.#shown = wanted;
    this.#panel?.end();
    this.#panel = null;
    this.aside.hidden = wanted === null;
    this.element.classList.toggle("split", wanted !== null);
    this.grid.select(wanted);
    if (wanted === null) return fill(this.aside);
    const actions = {
      close: () => this.#close(),
      moved: (uri) => {
        this.#shown = uri;
        this.grid.select(uri);
        go(this.#address({ id: uri.slice(uri.indexOf("/") + 1) }), { replaces: true });
      },
      created: (uri) => this.#open(uri),
    };
    this.#panel = wanted === "new"
      ? new CreatePanel(this.#studio, this.#entity, actions)
      : new ObjectPanel(this.#studio, this.#entity, wanted, this.#place, actions);
    this.#signal.addEventListener("abort", () => this.#panel?.end(), { once: true });
    fill(this.aside, this.#panel.element);
    return this.#panel.focus();
  }

  /** Whether something is written that would be lost where a person goes to this place. */
  isLeft(place) {
    const isSame = place.parts[0] === "objects" && place.parts[1] === this.#entity.name && this.#wanted(place) === this.#shown;
    return !isSame && Boolean(this.#panel?.isEdited);
  }

  /** What is written and not saved is dropped. */
  dropEdits() {
    this.#panel?.dropEdits();
  }

  #wanted(place) {
    const id = place.parts[2];
    const isNew = place.query.has("new") && this.#entity.creates && !this.#studio.isReadOnly;
    return isNew ? "new" : id === undefined ? null : `${this.#entity.name}/${id}`;
  }

  /** Where a person goes on who has come here. */
  focus() {
    if (this.#panel) this.#panel.focus();
    else this.heading.focus();
  }
}

/** The member that a person most likely searches. */
function likely(names) {
  return mainMembers.find((name) => names.includes(name)) ?? names[1] ?? names[0] ?? "";
}

/** What the table keeps of a record: short texts. */
function digest(record, standing) {
  const cells = recordOf();
  let all = standing.state;
  for (const [name, value] of Object.entries(record)) {
    const text = value === null ? "null" : visible(cut(plain(value), 160)).replaceAll(/\s+/g, " ");
    cells[name] = { text, kind: value === null ? "null" : kindOf(value) };
    all += `\n${name}\t${text}`;
  }
  cells[" id"] = { text: visible(standing.id), kind: "string" };
  return { uri: standing.uri, id: standing.id, state: standing.state, cells, digest: all };
}
