import { fill, h, spaced, unique } from "./dom.js";
import { stateElement, stateWord } from "./text.js";

const rowHeight = 36;
const headHeight = 38;
/** What browsers lay out as the height of one element without loss; of more rows, the way of the scrollbar stands for them. */
const mostHeight = 8_000_000;
/** Rows beyond the edge that are made as well. */
const margin = 8;

/**
 * A column: what stands in its head, how wide it is at least and which share it has of what is left, how it is shown.
 * @typedef {{name: string, label: string, width: number, share: number, sorts: boolean, isNumber?: boolean}} Column
 */

/**
 * A table of any length (ARIA grid), of which only the rows in sight are in the document. The focus stays on the grid, which
 * says which cell is the active one. Tells `open` with a row, `sort` with the name of a column, and `unsortable` where it has no
 * order.
 */
export class Grid extends EventTarget {
  #columns = [];
  #pages = null;
  #sort = "";
  #rows = new Map();
  #active = { row: 0, column: 0, uri: null };
  #selected = null;
  #stem = unique("grid");
  #head = h("div.grid-head", { role: "rowgroup" });
  #window = h("div.grid-window", { role: "presentation" });
  #body = h("div.grid-body", { role: "rowgroup" }, this.#window);

  /** @param {string} label what a screen reader calls the table */
  constructor(label) {
    super();
    this.element = h("div.grid", {
      role: "grid", tabindex: "0", "aria-label": label, onkeydown: (event) => this.#press(event),
      onclick: (event) => this.#click(event),
    }, this.#head, this.#body);
    this.element.addEventListener("scroll", () => this.#schedule(), { passive: true });
    this.draw = spaced(40, () => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  /** Shows other columns. @param {Column[]} columns */
  setColumns(columns, sort) {
    this.#columns = columns;
    this.#sort = sort;
    const widths = columns.map(({ width, share }) => (share ? `minmax(${width}px, ${share}fr)` : `${width}px`));
    this.element.style.setProperty("--columns", widths.join(" "));
    this.element.style.setProperty("--least", `${columns.reduce((sum, { width }) => sum + width, 0)}px`);
    this.element.setAttribute("aria-colcount", String(columns.length));
    fill(this.#head, h("div.grid-row", { role: "row", "aria-rowindex": "1" },
      columns.map((column, index) => this.#headCell(column, index))));
    this.#clear();
    this.#draw();
  }

  /** Shows other rows, from the first one on. */
  setPages(pages) {
    this.#pages = pages;
    this.#active = { ...this.#active, row: Math.min(this.#active.row, 0), uri: null };
    this.element.scrollTop = 0;
    this.#clear();
    this.#draw();
  }

  /** Marks the row whose object is open. */
  select(uri) {
    this.#selected = uri;
    for (const row of this.#rows.values()) row.element.setAttribute("aria-selected", String(row.uri === uri));
  }

  focus() {
    this.element.focus({ preventScroll: true });
  }

  /** Keeps the active cell with its object where rows have moved. */
  follow() {
    const { uri } = this.#active;
    const found = uri ? this.#pages.find(uri) : -1;
    if (found >= 0) this.#active.row = found;
  }

  #headCell(column, index) {
    const [descends, sorted] = [this.#sort.startsWith("-"), this.#sort.replace(/^-/, "")];
    const order = column.name === sorted && column.sorts ? (descends ? "descending" : "ascending") : "none";
    return h("div.grid-cell", {
      role: "columnheader", id: this.#id(-1, index), "aria-colindex": index + 1,
      "aria-sort": column.sorts ? order : null, "data-head": index, class: column.isNumber ? "grid-cell number" : "grid-cell",
    }, h("bdi", {}, column.label), column.sorts && h("span.order", { "aria-hidden": "true" }));
  }

  #id(row, column) {
    return `${this.#stem}-${row}-${column}`;
  }

  // What is in sight

  get #total() {
    return this.#pages?.total ?? 0;
  }

  get #height() {
    return Math.min(this.#total * rowHeight, mostHeight);
  }

  get #view() {
    return Math.max(this.element.clientHeight - headHeight, rowHeight);
  }

  /** How far down the rows the view begins, in pixels of all rows. */
  get #place() {
    const all = this.#total * rowHeight;
    if (all <= mostHeight) return this.element.scrollTop;
    return this.element.scrollTop / Math.max(1, this.#height - this.#view) * (all - this.#view);
  }

  set #place(pixels) {
    const all = this.#total * rowHeight;
    this.element.scrollTop = all <= mostHeight ? pixels : pixels / (all - this.#view) * (this.#height - this.#view);
  }

  #schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.#draw();
    });
  }

  #draw() {
    if (!this.#pages) return;
    this.element.setAttribute("aria-rowcount", this.#pages.total === null ? "-1" : String(this.#total + 1));
    this.#body.style.height = `${this.#height}px`;
    const place = this.#place;
    const first = Math.max(0, Math.floor(place / rowHeight) - margin);
    const last = Math.min(Math.max(this.#total - 1, this.#pages.total === null ? 40 : -1),
      Math.ceil((place + this.#view) / rowHeight) + margin);
    for (const [index, row] of this.#rows) {
      if (index >= first && index <= last) continue;
      row.element.remove();
      this.#rows.delete(index);
    }
    // Rows stand where the scrolled place is, also where the scrollbar stands for more pixels than there are.
    const shift = this.element.scrollTop - place;
    if (this.#pages.total !== null) for (let index = first; index <= last; index += 1) this.#drawRow(index, shift);
    this.#showActive();
    this.#pages.need(Math.max(0, first), Math.max(first, last, 0));
  }

  #drawRow(index, shift) {
    const entry = this.#pages.row(index);
    let row = this.#rows.get(index);
    if (!row) {
      row = { element: h("div.grid-row", { role: "row", "aria-rowindex": index + 2, "data-row": index }), entry: null,
        uri: null };
      this.#rows.set(index, row);
      this.#insert(row.element, index);
    }
    row.element.style.transform = `translateY(${index * rowHeight + shift}px)`;
    if (row.entry === (entry ?? false)) return;
    const isChange = row.uri && row.uri === entry?.uri && row.entry && row.entry.digest !== entry.digest;
    row.entry = entry ?? false;
    row.uri = entry?.uri ?? null;
    row.element.setAttribute("aria-selected", String(row.uri !== null && row.uri === this.#selected));
    row.element.classList.toggle("waiting", !entry);
    row.element.classList.toggle("fresh", Boolean(isChange));
    fill(row.element, this.#columns.map((column, at) => this.#cell(entry, column, index, at)));
  }

  /** Rows stand in the document in their order, for those who read it so. */
  #insert(element, index) {
    let after = null;
    for (const each of this.#window.children) {
      if (Number(each.dataset.row) > index) {
        after = each;
        break;
      }
    }
    this.#window.insertBefore(element, after);
  }

  #cell(entry, column, row, index) {
    const cell = h("div", {
      role: "gridcell", id: this.#id(row, index), "aria-colindex": index + 1,
      class: column.isNumber ? "grid-cell number" : "grid-cell",
    });
    if (!entry) cell.append(h("span.blank"));
    else if (column.name === "") cell.append(calmState(entry.state));
    else {
      const { text, kind } = entry.cells[column.name] ?? { text: "", kind: "absent" };
      cell.append(h(`bdi.${kind}`, { dir: "auto" }, text));
    }
    return cell;
  }

  #clear() {
    for (const row of this.#rows.values()) row.element.remove();
    this.#rows.clear();
  }

  // The active cell

  #showActive() {
    this.element.querySelector(".active")?.classList.remove("active");
    const cell = document.getElementById(this.#id(this.#active.row, this.#active.column));
    cell?.classList.add("active");
    if (cell) this.element.setAttribute("aria-activedescendant", cell.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  #move(row, column) {
    const last = this.#total - 1;
    this.#active.row = Math.max(-1, Math.min(row, last));
    this.#active.column = Math.max(0, Math.min(column, this.#columns.length - 1));
    this.#active.uri = this.#pages.row(this.#active.row)?.uri ?? null;
    this.#reveal();
    this.#draw();
  }

  #reveal() {
    const top = this.#active.row * rowHeight;
    const place = this.#place;
    if (this.#active.row >= 0) {
      if (top < place) this.#place = top;
      else if (top + rowHeight > place + this.#view) this.#place = top + rowHeight - this.#view;
    }
    const head = document.getElementById(this.#id(-1, this.#active.column));
    if (!head) return;
    const { scrollLeft, clientWidth } = this.element;
    const [left, right] = [head.offsetLeft, head.offsetLeft + head.offsetWidth];
    if (left < scrollLeft) this.element.scrollLeft = left;
    else if (right > scrollLeft + clientWidth) this.element.scrollLeft = right - clientWidth;
  }

  #press(event) {
    if (event.altKey || event.metaKey || event.target !== this.element) return;
    const { row, column } = this.#active;
    const step = Math.max(1, Math.floor(this.#view / rowHeight) - 1);
    const moves = {
      ArrowDown: [row + 1, column], ArrowUp: [row - 1, column], ArrowRight: [row, column + 1], ArrowLeft: [row, column - 1],
      PageDown: [Math.max(0, row) + step, column], PageUp: [Math.max(0, row - step), column],
      Home: event.ctrlKey ? [0, 0] : [row, 0], End: event.ctrlKey ? [this.#total - 1, column] : [row, this.#columns.length - 1],
    };
    if (moves[event.key] && this.#pages) this.#move(...moves[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.#act(row, column);
    else return;
    event.preventDefault();
  }

  #click(event) {
    if (String(getSelection()) && event.detail > 1) return;
    const head = event.target.closest("[data-head]");
    const row = event.target.closest("[data-row]");
    const cell = event.target.closest("[aria-colindex]");
    const column = cell ? Number(cell.getAttribute("aria-colindex")) - 1 : 0;
    if (head) {
      this.#active = { row: -1, column, uri: null };
      this.#act(-1, column);
    } else if (row) {
      this.#move(Number(row.dataset.row), column);
      this.#act(Number(row.dataset.row), column);
    }
  }

  #act(row, column) {
    if (row < 0) {
      const { name, sorts } = this.#columns[column];
      this.dispatchEvent(new CustomEvent(sorts ? "sort" : "unsortable", { detail: name }));
      return;
    }
    const entry = this.#pages?.row(row);
    if (entry) this.dispatchEvent(new CustomEvent("open", { detail: entry }));
  }
}

/** Most objects are in step, which is said to a screen reader and shows nothing. */
function calmState(state) {
  return state === "synchronized" ? h("span.hidden-label", {}, stateWord(state)) : stateElement(state);
}
