import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { fieldMessages, problemElement } from "./messages.js";
import { link } from "./router.js";
import { count, counted, timeElement, visible } from "./text.js";

const creates = {
  "not offered": "not offered",
  "client id": "never twice: the identifier is given here and looked up; as declared, not tried",
  "idempotency key": "never twice: the server knows a repeated one; as declared, not tried",
  lookup: "never twice: one whose answer is lost is looked up; as declared, not tried",
  none: "one whose answer is lost waits for a person: the API gives no means to look it up",
  refuted: "one whose answer is lost can happen twice: the server does not do what the route file says",
};
const writes = {
  none: "not checked: of two writes the last one wins",
  compare: "read and merged first; a change that another makes between that read and the write is overwritten",
  "if-match": "sent with If-Match: the server refuses to overwrite another's change",
  token: "sent with the version that was read; whether a stale one is refused is for the server to say",
  body: "an update sends the version back in the body: the server refuses to overwrite another's change",
};
const failures = { signInNeeded: "The server wants a sign-in", unreachable: "The server was not reached",
  mismatch: "The server is not what the route file says" };

/** Whether the server is what the route file says, and what it keeps of the promises: what `atmos check` finds. */
export class CheckView {
  title = "Check";
  #studio;

  constructor(studio, place, signal) {
    this.#studio = studio;
    this.heading = h("h1", { tabindex: "-1" }, "Check");
    this.total = h("p.total", { role: "status" });
    this.button = h("button.button.primary", { type: "button", onclick: () => studio.check() }, icon("check"),
      "Check the server");
    this.found = h("div.found");
    this.element = h("div.page", {},
      h("header.view-head", {}, this.heading, this.total, h("span.gap"), !studio.isReadOnly && this.button),
      h("p.intro", {}, "Is the server what the route file says? One page of each list is asked for, and one object of each. "
        + "Nothing is written; ", h("code", {}, "atmos check --write"), " also tries writes, on a server for tests."),
      studio.isReadOnly && h("p.quiet-words", {}, "A read-only gateway asks the server for nothing; ",
        h("code", {}, "atmos check"), " does it in a terminal."), this.found);
    studio.addEventListener("checked", () => this.#show(), { signal });
    this.#show();
  }

  #show() {
    const { isChecking, lastCheck } = this.#studio;
    this.button.disabled = isChecking;
    this.total.textContent = isChecking ? "Asking the server…" : "";
    this.element.setAttribute("aria-busy", String(isChecking));
    if (isChecking || !lastCheck) return;
    const { time, report, problem } = lastCheck;
    if (problem) return fill(this.found, problemElement(problem, { again: () => this.#studio.check() }));
    this.total.textContent = report.passed ? "Passed" : counted(report.problems.length, "problem");
    return fill(this.found, this.#verdict(report, time), this.#entities(report), promisesElement(report.promises));
  }

  #verdict({ passed, problems, warnings, identity }, time) {
    const when = h("p.quiet-words", {}, "Asked ", timeElement(time), identity !== null
      && [". Signed in as ", h("bdi", {}, visible(identity))]);
    const words = warnings.length > 0 && h("ul.words", {}, warnings.map((each) => h("li", {}, h("bdi", {}, visible(each)))));
    if (passed) {
      return h("div.notice.passed", {}, icon("check"), h("div", {},
        h("strong", {}, "The server is what the route file says"), when, words));
    }
    return h("div.problem", {}, icon("alert"), h("div", {}, h("strong", {}, failures[problems[0]?.code] ?? "Not passed"),
      fieldMessages(problems.map(divided)), when, words));
  }

  #entities({ entities }) {
    return h("div.cards", {}, Object.entries(entities).map(([name, report]) => {
      const number = report.problems.length;
      const toned = number ? toneElement("bad", counted(number, "problem")) : toneElement("good", "fits");
      return h("article.card", { "data-entity": name, "aria-label": `What ${visible(name)} is like` },
        h("header.card-head", {}, h("h2", {}, h("a", { href: link(["settings", name]) }, h("bdi", {}, visible(name)))), toned),
        h("dl.facts", {}, this.#facts(name, report).map(([word, text]) => [h("dt", {}, word), h("dd", {}, text)])),
        h("ul.findings", {}, report.problems.map((text) => findingElement("bad", "problem", text)),
          report.findings.map(({ holds, text }) => findingElement(holds ? "good" : "wait", holds ? "yes" : "no", text)),
          report.notes.map((text) => findingElement("calm", "note", text))));
    }));
  }

  #facts(name, { listed, total, more, readable, create, version, race }) {
    const entity = this.#studio.entities.get(name);
    const isWritten = entity?.updates || entity?.deletes;
    const isLeased = isWritten && !race && !["if-match", "body"].includes(version);
    const list = listed !== null && counted(listed, "object") + " on the first page"
      + (total === null ? "" : `, ${count(total)} in all`) + (more ? "; more follow" : "");
    return [["list", list], ["read", readable !== null && (readable ? "one object was read" : "failed")],
      ["create", creates[create] ?? create],
      ["write", !isWritten ? "not offered" : isLeased ? "under an edit lease: no other client writes meanwhile"
        : writes[version] ?? version]].filter(([, text]) => text);
  }

  focus() {
    this.heading.focus();
  }
}

/** A mismatch names its setting first. */
function divided({ code, message }) {
  const end = message.indexOf(": ");
  return code === "mismatch" && end > 0 ? { field: message.slice(0, end), message: message.slice(end + 2) }
    : { field: code, message };
}

function promisesElement(promises) {
  return promises.length > 0 && h("section", { "aria-label": "Promises" }, h("h2", {}, "What the promises rest on"),
    h("ul.promises", {}, promises.map(({ promise, exceptions, untried }) => {
      const [tone, word] = exceptions.length ? ["wait", "not all"] : untried.length ? ["calm", "untried"] : ["good", "kept"];
      const reasons = [...exceptions, ...untried];
      return h("li", {}, toneElement(tone, word), h("div", {}, h("p", {}, visible(promise)),
        reasons.length > 0 && h("ul.quiet-words", {}, reasons.map((text) => h("li", {}, h("bdi", {}, visible(text)))))));
    })));
}

function findingElement(tone, word, text) {
  return h("li", {}, toneElement(tone, word), h("bdi", {}, visible(text)));
}

function toneElement(tone, word) {
  return h("span.tone", { "data-tone": tone }, word);
}
