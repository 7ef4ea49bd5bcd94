import { h } from "./dom.js";
import { objectLink } from "./fields.js";
import { write } from "./json.js";
import { nameElement } from "./names.js";
import { cut, reasonWords, valueElement, visible } from "./text.js";

/**
 * The requests that a push would send, and what it holds back.
 * @param {{requests: object[], held: object[]}} diff
 */
export function requestsElement(diff) {
  return h("div.requests", {}, diff.requests.map(requestElement), diff.held.length > 0 && h("section", {},
    h("h3", {}, "Held back"), h("ul.plain-list", {}, diff.held.map(({ uri, reason }) =>
      h("li", {}, objectLink(uri), " ", nameElement(uri), " ", h("bdi", {}, reasonWords(reason)))))));
}

function requestElement(request) {
  return h("article.request", { "aria-label": `${request.method} for ${request.uri}` },
    h("header", {}, h("span.method", { "data-method": request.method }, request.method), h("code.url", {}, visible(request.url))),
    h("p.quiet-words", {}, objectLink(request.uri), nameElement(request.uri), `: ${request.verb}`,
      request.readFirst && ", after a GET that compares",
      request.signed && [", signed with ", h("code", {}, visible(request.signed))], request.batch && ", within a batch"),
    request.changes.length > 0 && h("table.changes", {},
      h("thead", {}, h("tr", {}, ["member", "from", "to"].map((word) => h("th", { scope: "col" }, word)))),
      h("tbody", {}, request.changes.map(({ field, from, to }) => h("tr", {},
        h("th", { scope: "row" }, h("bdi", {}, visible(field))), h("td.from", {}, valueElement(from, 300)),
        h("td.to", {}, valueElement(to, 300)))))),
    h("details", {}, h("summary", {}, "Headers and body"),
      h("dl.headers", {}, Object.entries(request.headers).map(([name, value]) =>
        [h("dt", {}, visible(name)), h("dd", {}, visible(value))])),
      request.body !== null && h("pre.code-block", { tabindex: "0", "aria-label": "Body" },
        visible(cut(typeof request.body === "string" ? request.body : write(request.body, 2), 20_000)))));
}
