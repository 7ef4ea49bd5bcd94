import { fill, h } from "./dom.js";
import { ask, at, Problem } from "./gateway.js";
import { icon } from "./icons.js";
import { recordOf } from "./json.js";
import { confirmed, problemElement } from "./messages.js";
import { RecordForm } from "./record-form.js";
import { visible } from "./text.js";

/** A new object. */
export class CreatePanel {
  #studio;
  #entity;
  #actions;
  /** The create happens once, however often it is sent. */
  #key = crypto.randomUUID();

  constructor(studio, entity, actions) {
    this.#studio = studio;
    this.#entity = entity;
    this.#actions = actions;
    this.place = h("div.place");
    this.body = h("div.panel-body", {}, h("p.quiet-words", {}, "Reading…"));
    this.heading = h("h2", { tabindex: "-1" }, h("span", {}, "New in ", h("bdi", {}, visible(entity.name))));
    this.element = h("section.panel", { "aria-label": `New in ${entity.name}`, onkeydown: (event) => this.#press(event) },
      h("header.panel-head", {}, this.heading, h("span.gap"),
        h("button.plain", { type: "button", "aria-label": "Close", onclick: () => actions.close() }, icon("close"))),
      this.place, this.body,
      h("footer.panel-foot", {},
        h("button.button.primary", { type: "button", "data-save": "", onclick: () => this.#create() }, "Create"),
        h("button.button", { type: "button", onclick: () => this.#cancel() }, "Cancel")));
    this.#read();
  }

  async #read() {
    let members = [];
    try {
      members = await this.#studio.members(this.#entity.name);
    } catch (problem) {
      fill(this.place, problemElement(problem));
    }
    this.form = new RecordForm(this.#entity, members, recordOf(), { isNew: true });
    fill(this.body, this.form.element);
    this.focus();
  }

  /** Whether something is written that is not saved. */
  get isEdited() {
    return !this.isDone && Boolean(this.form?.isEdited);
  }

  dropEdits() {
    this.isDone = true;
  }

  #cancel() {
    this.isDone = true;
    this.#actions.close();
  }

  #press(event) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.#actions.close();
  }

  async #create() {
    const { set, wrong } = this.form.changes();
    if (wrong) return wrong.input.focus();
    const isSure = Object.keys(set).length > 0 || await confirmed({
      title: "Create it without any member?", yes: "Create", text: "Nothing is written yet: the object would be empty.",
    });
    if (!isSure) return undefined;
    const headers = { "Idempotency-Key": this.#key };
    try {
      const answer = await ask("POST", at("objects", this.#entity.name), { value: set, headers });
      const [entity, id] = answer.headers.get("Location").split("/").slice(-2).map(decodeURIComponent);
      this.isDone = true;
      this.#studio.say("Created here; the next push sends it.");
      return this.#actions.created(`${entity}/${id}`);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.status) this.#key = crypto.randomUUID();
      problem.fields = this.form.say(problem.fields);
      return fill(this.place, problemElement(problem));
    }
  }

  focus() {
    const first = this.form && [...this.form.fields.values()].find((field) => field.input);
    (first?.input ?? this.heading).focus();
  }

  end() {}
}
