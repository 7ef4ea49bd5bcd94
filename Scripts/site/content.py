"""Render JSON of DocC as HTML: blocks, text and declarations."""

import html
import posixpath
import re
from urllib.parse import urlparse

from archive import github_slug
from highlight import highlight

escape = lambda text: html.escape(text, quote=False)
attribute = lambda text: html.escape(text, quote=True)


def code_words(text):
    """A title, in which code stands between backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def plain(inlines, references=None):
    """The words of inline content."""
    words = []
    for each in inlines or []:
        if each["type"] == "reference":
            target = (references or {}).get(each["identifier"], {})
            words.append(each.get("overridingTitle") or target.get("title", ""))
        elif "inlineContent" in each:
            words.append(plain(each["inlineContent"], references))
        else:
            words.append(each.get("code") or each.get("text") or "")
    return "".join(words)


def words_of(blocks, references=None):
    """The words of block content, with spaces between blocks."""
    words = []
    for block in blocks or []:
        kind = block["type"]
        if kind == "codeListing":
            words.append("\n".join(block["code"]))
        elif kind == "heading":
            words.append(block["text"])
        elif kind == "table":
            words += [words_of(cell, references) for row in block["rows"] for cell in row]
        elif kind == "termList":
            for item in block["items"]:
                words += [
                    plain(item["term"]["inlineContent"], references),
                    words_of(item["definition"]["content"], references),
                ]
        elif "inlineContent" in block:
            words.append(plain(block["inlineContent"], references))
        for item in block.get("items", []):
            words.append(words_of(item.get("content", []), references))
        if kind == "aside":
            words.append(words_of(block["content"], references))
    return " ".join(word for word in words if word)


def headings(node):
    for section in node.document.get("primaryContentSections", []):
        if section["kind"] == "content":
            yield from (block for block in section["content"] if block["type"] == "heading")


def name_anchors(node):
    """Gives each heading of a page an identifier of its own, and says by which names links may call it."""
    seen, slugs = {}, {}
    node.heading_ids = []
    for block in headings(node):
        anchor = block.get("anchor") or github_slug(block["text"])
        seen[anchor] = seen.get(anchor, 0) + 1
        name = anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor]}"
        slug = github_slug(block["text"])
        slugs[slug] = slugs.get(slug, -1) + 1
        node.heading_ids.append(name)
        node.anchors.setdefault(anchor, name)
        node.anchors.setdefault(slug if not slugs[slug] else f"{slug}-{slugs[slug]}", name)


def broken(tokens):
    """A declaration that is long, with a line for each parameter."""
    whole = "".join(token["text"] for token in tokens)
    names = [n for n, token in enumerate(tokens) if token["kind"] == "externalParam"]
    if len(whole) <= 84 or "\n" in whole or not names:
        return tokens
    result, depth, opened = [], 0, False
    for n, token in enumerate(tokens):
        text = ""
        for position, letter in enumerate(token["text"]):
            if letter in "([<{":
                depth += 1
            elif letter in ")]>}" and token["text"][max(0, position - 1) : position + 1] != "->":
                depth -= 1
                if opened and depth == 0 and letter == ")":
                    text += "\n"
                    opened = False
            text += letter
            if not opened and depth == 1 and letter == "(" and n + 1 == names[0]:
                text += "\n    "
                opened = True
            elif opened and depth == 1 and letter == ",":
                text += "\n   "
        result.append({**token, "text": text})
    return result


class Writer:
    """Writes the content of one node for the page that it stands on."""

    def __init__(self, site, node, page):
        self.site, self.node, self.page = site, node, page
        self.rows = []  # rows of tables that are about one thing: identifier, title, words
        self.used = set()
        self.next_heading = 0

    def href(self, url):
        """A link from this page to a place of the site."""
        path, mark, fragment = url.partition("#")
        if path == self.page.url and mark:
            return "#" + fragment
        return posixpath.relpath(path, posixpath.dirname(self.page.url) or ".") + mark + fragment

    # Text

    def inline(self, inlines):
        return "".join(self.piece(each) for each in inlines or [])

    def piece(self, each):
        kind = each["type"]
        inner = lambda: self.inline(each.get("inlineContent", []))
        if kind == "text":
            return escape(each["text"])
        if kind == "codeVoice":
            if each["code"] in self.node.archive.elsewhere:
                node = self.site.elsewhere(each["code"], self.node.archive)
                if node:
                    return self.linked_code(each["code"], node)
            # The name of a file that is a page: docs/MESSAGES.md.
            name = each["code"].strip("/")
            node = self.site.files.get(name) or self.site.files.get(name + "/README.md")
            if node and node is not self.page and "/" in name:
                return self.linked_code(each["code"], node)
            return f"<code>{escape(each['code'])}</code>"
        if kind == "emphasis":
            return f"<em>{inner()}</em>"
        if kind in ("strong", "inlineHead"):
            return f"<strong>{inner()}</strong>"
        if kind == "strikethrough":
            return f"<del>{inner()}</del>"
        if kind == "newTerm":
            return f"<dfn>{inner()}</dfn>"
        if kind in ("subscript", "superscript"):
            return f"<{kind[:3]}>{inner()}</{kind[:3]}>"
        if kind == "reference":
            return self.reference(each)
        if kind == "link":
            return self.anchor(each["destination"], escape(each.get("title", each["destination"])))
        return inner() or escape(each.get("text", ""))

    def linked_code(self, code, node):
        return f'<a href="{attribute(self.href(node.href))}"><code>{escape(code)}</code></a>'

    def reference(self, each):
        target = self.node.references.get(each["identifier"], {})
        content = each.get("overridingTitleInlineContent")
        text = self.inline(content) if content else escape(each.get("overridingTitle") or target.get("title", ""))
        if not content and target.get("titleInlineContent"):
            text = self.inline(target["titleInlineContent"])
        if not content and target.get("kind") == "symbol":
            text = f"<code>{text}</code>"
        url = target.get("url") or each["identifier"]
        if not each.get("isActive", True):
            return text
        return self.anchor(url, text)

    def anchor(self, url, text):
        parsed = urlparse(url)
        if parsed.scheme in ("http", "https", "mailto"):
            return f'<a class="outside" href="{attribute(url)}">{text}</a>'
        place = self.site.resolve(url, self.node)
        return f'<a href="{attribute(self.href(place))}">{text}</a>' if place else text

    # Blocks

    def blocks(self, blocks, level=0):
        return "\n".join(self.block(block, level) for block in blocks or [])

    def block(self, block, level=0):
        kind = block["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(block['inlineContent'])}</p>"
        if kind == "small":
            return f"<p class=small>{self.inline(block['inlineContent'])}</p>"
        if kind == "heading":
            return self.heading(block, level)
        if kind == "codeListing":
            return self.code("\n".join(block["code"]), block.get("syntax"))
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            start = f' start="{block["start"]}"' if block.get("start", 1) != 1 else ""
            items = "".join(f"<li>{self.item(item['content'])}</li>" for item in block["items"])
            return f"<{tag}{start}>{items}</{tag}>"
        if kind == "termList":
            items = "".join(
                f"<dt>{self.inline(item['term']['inlineContent'])}</dt><dd>{self.blocks(item['definition']['content'])}</dd>"
                for item in block["items"]
            )
            return f"<dl>{items}</dl>"
        if kind == "aside":
            name = block.get("name") or block["style"].capitalize()
            return f'<aside class="{attribute(block["style"])}"><p class=name>{escape(name)}</p>{self.blocks(block["content"])}</aside>'
        if kind == "table":
            return self.table(block)
        if kind == "thematicBreak":
            return "<hr>"
        if kind == "links":
            return "<ul>" + "".join(f"<li>{self.link(each)}</li>" for each in block["items"]) + "</ul>"
        if "content" in block:
            return self.blocks(block["content"])
        raise ValueError(f"{self.node.path}: a block of the kind {kind}, which nothing here writes")

    def item(self, blocks):
        """Of a list: one paragraph alone needs no element."""
        if blocks and blocks[0]["type"] == "paragraph":
            return self.inline(blocks[0]["inlineContent"]) + self.blocks(blocks[1:])
        return self.blocks(blocks)

    def heading(self, block, level):
        if level:  # of a member on the page of its type
            return f"<h{level}>{escape(block['text'])}</h{level}>"
        name = self.node.heading_ids[self.next_heading]
        self.next_heading += 1
        title = code_words(block["text"])
        return (
            f'<h{block["level"]} id="{attribute(name)}">{title}'
            f'<a class=here href="#{attribute(name)}" aria-label="Link to this section">#</a></h{block["level"]}>'
        )

    @staticmethod
    def code(text, language=None):
        return f"<div class=code><pre tabindex=0><code>{highlight(text, language)}</code></pre></div>"

    def table(self, block):
        aligns = block.get("alignments", [])
        style = lambda n: (
            f' style="text-align:{aligns[n]}"' if n < len(aligns) and aligns[n] in ("right", "center") else ""
        )
        head, body = block["rows"][0], block["rows"][1:]
        # Where the window is narrow, a row of many cells becomes a card, and each cell has its head beside it.
        is_wide = len(head) >= 4
        names = [words_of(cell, self.node.references) for cell in head]
        lines = [
            "<thead><tr>",
            *(f"<th{style(n)}>{self.cell(cell)}</th>" for n, cell in enumerate(head)),
            "</tr></thead><tbody>",
        ]
        for row in body:
            cells = "".join(
                f"<td{style(n)}{self.width(cell)}{self.label(names[n], is_wide)}>{self.cell(cell)}</td>"
                for n, cell in enumerate(row)
            )
            lines.append(f"<tr{self.row_id(row)}>{cells}</tr>")
        return (
            f"<div class=table tabindex=0><table{' class=wide' if is_wide else ''}>"
            + "".join(lines)
            + "</tbody></table></div>"
        )

    def width(self, cell):
        """Sentences need room where the window has little."""
        return " class=long" if len(words_of(cell, self.node.references)) > 60 else ""

    @staticmethod
    def label(name, is_wide):
        return f' data-label="{attribute(name)}"' if is_wide and name else ""

    def cell(self, blocks):
        return self.item(blocks)

    def row_id(self, row):
        """A row that begins with one piece of code is about it: a key, a code, a message. It can be found by that."""
        first = row[0] if row else []
        if len(first) != 1 or first[0]["type"] != "paragraph":
            return ""
        pieces = [
            each for each in first[0]["inlineContent"] if not (each["type"] == "text" and not each["text"].strip())
        ]
        if not pieces or pieces[0]["type"] != "codeVoice":
            return ""
        title = plain(pieces)
        name = "row-" + (re.sub(r"[^A-Za-z0-9.*-]+", "-", title).strip("-").lower()[:60] or "x")
        while name in self.used:
            name += "-"
        self.used.add(name)
        self.rows.append((name, title, " · ".join(words_of(cell, self.node.references) for cell in row[1:] if cell)))
        # A key stays on one line; a message may be long.
        return f' id="{attribute(name)}"' + (" class=key" if len(title) <= 32 else "")

    # Symbols

    def link(self, identifier):
        node = self.site.by_identifier(identifier)
        if not node:
            return escape(self.node.references.get(identifier, {}).get("title", identifier))
        title = f"<code>{escape(node.title)}</code>" if node.is_symbol else code_words(node.title)
        return f'<a href="{attribute(self.href(node.href))}">{title}</a>'

    def declaration(self, tokens):
        """One declaration, in which each type of any module leads to its page."""
        pieces = []
        for token in broken(tokens):
            text = escape(token["text"])
            symbol = self.site.symbols.get(token.get("preciseIdentifier", ""))
            kind = {
                "typeIdentifier": "type",
                "keyword": "keyword",
                "attribute": "keyword",
                "number": "number",
                "string": "string",
            }.get(token["kind"])
            if symbol and token["kind"] != "identifier":
                pieces.append(f'<a href="{attribute(self.href(symbol.href))}">{text}</a>')
            elif token["kind"] == "identifier":
                pieces.append(f"<b>{text}</b>")
            else:
                pieces.append(f'<span class="{kind}">{text}</span>' if kind else text)
        return "".join(pieces)
