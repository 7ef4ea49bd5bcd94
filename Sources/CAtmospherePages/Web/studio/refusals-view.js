import { CardsView } from "./cards-view.js";
import { fill, h, unique } from "./dom.js";
import { objectLink } from "./fields.js";
import { ask, divided, get, objectPath } from "./gateway.js";
import { recordOf } from "./json.js";
import { confirmed, fieldMessages, problemElement } from "./messages.js";
import { nameOf } from "./names.js";
import { RecordForm } from "./record-form.js";
import { visible } from "./text.js";

/** What the server refused, with its words, to be fixed and sent again. */
export function refusalsView(studio, place, signal) {
  return new CardsView(studio, place, signal, {
    title: "Refusals", path: "/v1/rejected", one: "refusal",
    intro: "The server did not take these changes. They are kept here until you fix them, try them again, or discard them.",
    empty: ["No refusals", "The server has refused nothing that is kept here."],
    make: (item) => new RefusalCard(studio, item, signal),
  });
}

class RefusalCard {
  #studio;
  #item;
  #signal;
  #entity;

  constructor(studio, item, signal) {
    this.#studio = studio;
    this.#signal = signal;
    this.#entity = studio.entities.get(divided(item.uri)[0]);
    const id = unique("refusal");
    this.name = h("bdi.object-name");
    this.status = h("span.status");
    this.words = h("div");
    this.place = h("div.place");
    this.body = h("div");
    this.foot = h("footer.card-foot", { hidden: studio.isReadOnly });
    this.element = h("article.card", { "aria-labelledby": id, "data-uri": item.uri },
      h("header.card-head", {}, h("h2", { id, tabindex: "-1" }, this.name, objectLink(item.uri)), this.status),
      this.words, this.body, this.place, this.foot);
    this.renew(item);
  }

  /** The server's words are these by now; what is written stays. */
  renew(item) {
    const before = this.#item;
    this.#item = item;
    this.status.hidden = !item.status;
    this.status.textContent = String(item.status);
    fill(this.words, saidElement(item), item.upload && h("p", {}, "It was the file ", h("bdi", {}, visible(item.upload.file)),
      " for ", h("b", {}, visible(item.upload.field)), "."));
    if (!before || Boolean(before.upload) !== Boolean(item.upload)) fill(this.foot, this.#buttons());
    this.#read();
  }

  #buttons() {
    const make = (word, run, kind = "button.button") => h(kind, { type: "button", "data-decide": word, onclick: run }, word);
    this.again = make("Try again as it is", () => this.#retry());
    this.save = make("Save and send again", () => this.#save(), "button.button.primary");
    this.save.dataset.save = "";
    this.save.hidden = !this.form;
    return [make(this.#item.upload ? "Drop the file" : "Discard", () => this.#discard(), "button.button.grave-quiet"), this.again,
      h("span.gap"), this.save];
  }

  async #read() {
    try {
      const [state, members] = await Promise.all([
        get(objectPath(this.#item.uri, "state"), this.#signal), this.#studio.members(this.#entity.name)]);
      this.name.textContent = nameOf(state.record) || nameOf(state.base);
      if (this.#item.upload) return;
      if (!state.record) {
        this.form = null;
        fill(this.body, h("p", {}, "It was deleted here; the server did not delete it."));
        return;
      }
      // The members that the server complained of, and those that were edited, stand first.
      const first = new Set([...this.#item.fields.map(({ field }) => field), ...state.edited]);
      const names = [...members].sort((one, other) => first.has(other.name) - first.has(one.name));
      const record = recordOf(Object.entries(state.record).sort(([one], [other]) =>
        first.has(other) - first.has(one)));
      if (this.form) this.form.renew(record);
      this.form ??= new RecordForm(this.#entity, names, record, { isReadOnly: this.#studio.isReadOnly });
      this.form.say(this.#item.fields);
      if (!this.body.contains(this.form.element)) fill(this.body, this.form.element);
      this.save.hidden = false;
    } catch (problem) {
      if (problem.name !== "AbortError") fill(this.body, problemElement(problem));
    }
  }

  /** Whether something is written that is not sent. */
  get isEdited() {
    return Boolean(this.form?.isEdited);
  }

  #save() {
    const { set, removed, wrong } = this.form.changes();
    if (wrong) return wrong.input.focus();
    if (!this.form.isEdited) return this.#retry();
    return this.#try(async () => {
      const query = removed.map((name) => `remove=${encodeURIComponent(name)}`).join("&");
      const { value } = await ask("PATCH", objectPath(this.#item.uri) + (query ? "?" + query : ""), { value: set });
      this.form.saved({ set, removed }, value);
      await this.#send();
    });
  }

  #retry() {
    return this.#try(async () => {
      await ask("POST", objectPath(this.#item.uri, "retry"));
      await this.#send();
    });
  }

  /** An edit makes a refused change one that waits again; a push sends it, and the state says what became of it. */
  async #send() {
    const { value } = await ask("POST", "/v1/push", { value: { entities: [this.#entity.name] } });
    const [problem] = value.problems;
    const state = await get(objectPath(this.#item.uri, "state")).catch(() => null);
    const words = sentWords(state);
    this.#studio.say(words ? `${this.#item.uri}: ${words}` : problem ? `It waits: ${problem.message}`
      : `${this.#item.uri} was sent again.`);
    if (state?.refusal) await this.#read();
  }

  async #discard() {
    const isFile = Boolean(this.#item.upload);
    const isSure = await confirmed({
      title: isFile ? "Drop the file?" : "Discard what was edited here?", yes: isFile ? "Drop" : "Discard", no: "Keep",
        isGrave: true,
      text: isFile
        ? "It is not uploaded."
        : "The object is as the server has it again; one that the server does not know vanishes.",
    });
    if (!isSure) return;
    await this.#try(() => isFile
      ? ask("DELETE", objectPath(this.#item.uri, "contents", this.#item.upload.field))
      : ask("POST", objectPath(this.#item.uri, "discard")));
  }

  async #try(work) {
    fill(this.place);
    try {
      await work();
    } catch (problem) {
      if (problem.fields) problem.fields = this.form?.say(problem.fields) ?? problem.fields;
      fill(this.place, problemElement(problem));
    }
  }
}

/** What a person has to do after an object was sent again; nothing where it went. A deleted one has no state any more. */
function sentWords(state) {
  if (state?.refusal) return "the server refused it again.";
  if (state?.decision?.state === "conflicted") return "both sides changed it; decide the conflict.";
  return state?.decision?.state === "unknown" ? "no answer came; it is in doubt." : "";
}

/** The server's words; once where they are those of single members. */
function saidElement({ message, fields }) {
  const isOfFields = fields.length > 0 && message === fields.map((each) => `${each.field}: ${each.message}`).join("; ");
  const words = !isOfFields && h("p.words", {}, h("bdi", {}, visible(message)));
  return h("div.said-there", {}, words, fields.length > 0 && fieldMessages(fields));
}
