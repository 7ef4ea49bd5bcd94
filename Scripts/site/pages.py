"""Pages: guides, modules and types, in one frame with the menu."""

import posixpath
import re
from urllib.parse import quote

from archive import project_files
from content import Writer, attribute, code_words, escape, name_anchors, plain, words_of


class Menu:
    """What stands beside every page: the guides by topic, the files of the project, and the modules with their types."""

    def __init__(self, site):
        self.site = site
        self.modules = [each for each in site.archives if each.name != "Project"]
        # The core first, then by name.
        self.modules.sort(key=lambda archive: (archive.name != "Atmosphere", archive.name))
        self.groups = []
        for archive in self.modules:
            placed = set()
            for title, nodes in archive.root.topics():
                guides = [node for node in nodes if not node.is_symbol]
                if guides:
                    self.groups.append((title or archive.name, guides))
                    placed.update(id(node) for node in guides)
            rest = [node for node in archive.guides if id(node) not in placed and node is not archive.root]
            if rest:
                self.groups.append((archive.name, rest))
        project = next((each for each in site.archives if each.name == "Project"), None)
        if project:
            pages = [site.files[path] for path in project_files(site.repository) if path in site.files]
            self.home = next((node for node in pages if node.url == "index.html"), None)
            samples = [node for node in pages if node.source.startswith("Samples/")]
            others = [node for node in pages if node is not self.home and node not in samples]
            self.groups += [group for group in [("Samples", samples), ("Reference and project", others)] if group[1]]

    def write(self, page, href):
        link = lambda node, title=None: (
            f'<li><a href="{attribute(href(node.href))}"'
            + (" aria-current=page" if node is page else "")
            + f">{title or code_words(node.title)}</a></li>"
        )
        parts = []
        for title, nodes in self.groups:
            is_open = page in nodes or (not page.is_symbol and page.url == "index.html" and len(parts) < 2)
            items = "".join(link(node) for node in nodes)
            parts.append(
                f"<details{' open' if is_open else ''}><summary>{escape(title)}</summary><ul>{items}</ul></details>"
            )
        own = page.archive if page.is_symbol else None
        modules = []
        for archive in self.modules:
            modules.append(link(archive.root, f"<code>{escape(archive.name)}</code>"))
            if archive is own:
                modules.append("<li>" + self.types(archive, link) + "</li>")
        parts.append(
            f"<details{' open' if own else ''}><summary>Modules</summary><ul>{''.join(modules)}</ul></details>"
        )
        return "".join(parts)

    @staticmethod
    def types(archive, link):
        pieces = []
        for title, nodes in archive.root.topics():
            symbols = [node for node in nodes if node.is_symbol]
            if symbols:
                pieces.append(f"<h3>{escape(title or '')}</h3><ul>")
                pieces += [link(node, f"<code>{escape(node.title)}</code>") for node in symbols]
                pieces.append("</ul>")
        return "".join(pieces)


class Pages:
    """Writes every page, and collects what the search finds."""

    def __init__(self, site):
        self.site = site
        for archive in site.archives:
            for node in archive.nodes:
                name_anchors(node)
                for member in node.members:
                    node.anchors[member.anchor] = member.anchor
        self.menu = Menu(site)
        self.entries = []  # of the search: title, what it is, where, words

    def nodes(self):
        """Every node that has a page of its own."""
        for archive in self.site.archives:
            for node in archive.nodes:
                if not node.anchor and node.metadata.get("role") != "collectionGroup" and not node.is_foreign_module:
                    # The root of the project's files only holds them together.
                    if archive.name != "Project" or node is not archive.root:
                        yield node

    def write(self, node):
        writer = Writer(self.site, node, node)
        self.writer = writer
        body = self.symbol(node, writer) if node.is_symbol else self.guide(node, writer)
        self.entries += [
            (title, node.title, f"{node.url}#{quote(name)}", words, 2) for name, title, words in writer.rows
        ]
        return self.frame(node, writer, body)

    # Guides

    def guide(self, node, writer):
        abstract = writer.inline(node.document.get("abstract"))
        body = [f"<h1>{code_words(node.title)}</h1>"]
        if abstract:
            body.append(f"<p class=lead>{abstract}</p>")
        for section in node.document.get("primaryContentSections", []):
            if section["kind"] == "content":
                blocks = section["content"]
                # Every guide begins with an “Overview”, which is the name of nothing.
                if blocks and blocks[0]["type"] == "heading" and blocks[0]["text"] == "Overview":
                    body.append(f'<a id="{attribute(node.heading_ids[0])}"></a>')
                    writer.next_heading = 1
                    blocks = blocks[1:]
                body.append(writer.blocks(blocks))
        body.append(self.topics(node, writer))
        self.index_guide(node)
        return "\n".join(body)

    def index_guide(self, node):
        """One entry for each section."""
        group = next((title for title, nodes in self.menu.groups if node in nodes), "Guide")
        title, url, blocks = node.title, node.url, []
        numbers = iter(node.heading_ids)
        lead = plain(node.document.get("abstract"), node.references)
        sections = []
        for section in node.document.get("primaryContentSections", []):
            for block in section.get("content", []):
                if block["type"] == "heading":
                    name = next(numbers)
                    if block["text"] == "Overview":
                        continue
                    sections.append((title, url, blocks))
                    title, url, blocks = block["text"].replace("`", ""), f"{node.url}#{quote(name)}", []
                else:
                    blocks.append(block)
        sections.append((title, url, blocks))
        # What was so once comes behind what is so now.
        late = 8 if node.source == "CHANGELOG.md" else 0
        for n, (title, url, blocks) in enumerate(sections):
            words = words_of(blocks, node.references)
            if n == 0:
                self.entries.append((title, group, url, f"{lead} {words}", late))
            else:
                self.entries.append((title, node.title, url, words, late + 1))

    def topics(self, node, writer):
        parts = []
        for title, nodes in node.topics():
            if title:
                parts.append(f'<h2 id="topic-{attribute(title)}">{escape(title)}</h2>')
            parts.append(self.list(nodes, writer))
        return "\n".join(parts)

    def list(self, nodes, writer):
        items = []
        for node in nodes:
            title = f"<code>{escape(node.title)}</code>" if node.is_symbol else code_words(node.title)
            text = Writer(self.site, node, writer.page).inline(node.document.get("abstract"))
            if node.is_extension:
                text = "Gets " + ", ".join(f"<code>{escape(each.title)}</code>" for each in node.members)
            items.append(f'<dt><a href="{attribute(writer.href(node.href))}">{title}</a></dt><dd>{text}</dd>')
        return f"<dl class=list>{''.join(items)}</dl>" if items else ""

    # Symbols

    def symbol(self, node, writer):
        role = "Module" if node.is_module else node.role or "Symbol"
        body = [
            f"<p class=role>{escape(role)} · {self.crumbs(node, writer)}</p>",
            f"<h1><code>{escape(node.title)}</code></h1>",
        ]
        body.append(self.details(node, writer, 0))
        if not node.is_module:
            kind = {
                "Structure": "struct",
                "Enumeration": "enum",
                "Class": "class",
                "Protocol": "protocol",
                "Actor": "actor",
            }.get(role, role.lower())
            self.entries.append(
                (
                    node.title,
                    f"{kind} · {node.archive.name}",
                    node.url,
                    plain(node.document.get("abstract"), node.references),
                    0,
                )
            )
        else:
            self.entries.append(
                (node.title, "module", node.url, plain(node.document.get("abstract"), node.references), 0)
            )
        inline = {id(each) for each in node.members}
        listed = set()
        for title, nodes in node.topics():
            if title:
                name = "topic-" + re.sub(r"\W+", "-", title)
                body.append(f'<h2 id="{attribute(name)}">{escape(title)}</h2>')
            others = [each for each in nodes if id(each) not in inline]
            body.append(self.list(others, writer))
            for each in nodes:
                if id(each) in inline:
                    body.append(self.member(each, writer))
                    listed.add(id(each))
        rest = [each for each in node.members if id(each) not in listed]
        if rest:
            body.append('<h2 id="topic-more">More members</h2>')
            body += [self.member(each, writer) for each in rest]
        body.append(self.relations(node, writer))
        return "\n".join(part for part in body if part)

    def crumbs(self, node, writer):
        names = []
        parent = node.parent
        while parent:
            title = escape(parent.title)
            names.insert(
                0, title if parent.is_foreign_module else f'<a href="{attribute(writer.href(parent.href))}">{title}</a>'
            )
            parent = parent.parent
        if not node.is_module and not names:
            names.append(escape(node.archive.name))
        return " / ".join(names) if names else "all public symbols by topic"

    def member(self, node, page_writer):
        writer = Writer(self.site, node, page_writer.page)
        writer.used = page_writer.used
        owner = page_writer.page
        self.entries.append(
            (
                node.title,
                f"{owner.title} · {node.archive.name}",
                node.href,
                plain(node.document.get("abstract"), node.references),
                3,
            )
        )
        name = attribute(node.anchor)
        return (
            f'<section class=member id="{name}"><h3><code>{escape(node.title)}</code>'
            f'<a class=here href="#{quote(node.anchor)}" aria-label="Link to this symbol">#</a></h3>'
            + self.details(node, writer, 4)
            + "</section>"
        )

    def details(self, node, writer, level):
        """Declaration, sentence, parameters and discussion."""
        body = []
        for declaration in node.declarations:
            body.append(
                f"<div class=code><pre tabindex=0><code>{writer.declaration(declaration['tokens'])}</code></pre></div>"
            )
        abstract = writer.inline(node.document.get("abstract"))
        if abstract:
            body.append(f"<p{'' if level else ' class=lead'}>{abstract}</p>")
        returns = []
        for section in node.document.get("primaryContentSections", []):
            if section["kind"] == "parameters":
                items = (
                    f"<dt><code>{escape(each['name'])}</code></dt><dd>{writer.blocks(each['content'])}</dd>"
                    for each in section["parameters"]
                )
                body.append(f"<dl class=parameters>{''.join(items)}</dl>")
            elif section["kind"] == "content" and section["content"][0].get("text") == "Return Value":
                writer.next_heading += 0 if level else 1
                text = writer.blocks(section["content"][1:])
                returns = [f"<dl class=parameters><dt>Returns</dt><dd>{text}</dd></dl>"]
            elif section["kind"] == "content":
                body.append(self.discussion(node, section["content"], writer, level))
        return "\n".join(part for part in body + returns if part)

    @staticmethod
    def discussion(node, blocks, writer, level):
        pieces = []
        for block in blocks:
            if block["type"] == "heading" and block["text"] in ("Discussion", "Overview"):
                # The name of nothing. A link may lead to it all the same.
                if not level:
                    pieces.append(f'<a id="{attribute(node.heading_ids[writer.next_heading])}"></a>')
                    writer.next_heading += 1
            else:
                pieces.append(writer.block(block, level))
        return "\n".join(pieces)

    def relations(self, node, writer):
        parts = []
        for section in node.document.get("relationshipsSections", []):
            names = []
            for identifier in section["identifiers"]:
                target = self.site.by_identifier(identifier)
                names.append(
                    writer.link(identifier)
                    if target
                    else f"<code>{escape(node.references.get(identifier, {}).get('title', identifier))}</code>"
                )
            parts.append(f"<dt>{escape(section['title'])}</dt><dd>{', '.join(names)}</dd>")
        return f"<h2 id=relations>Relations</h2><dl class=parameters>{''.join(parts)}</dl>" if parts else ""

    # The frame

    def frame(self, node, writer, body):
        root = posixpath.relpath(".", posixpath.dirname(node.url) or ".") + "/"
        root = "" if root == "./" else root
        title = "Atmosphere" if node.url == "index.html" else f"{node.title} · Atmosphere".replace("`", "")
        description = plain(node.document.get("abstract"), node.references)
        contents = self.contents(node, body)
        return f"""<!DOCTYPE html>
<html lang=en>
<head>
<meta charset=utf-8>
<meta name=viewport content="width=device-width, initial-scale=1">
<meta name=color-scheme content="light dark">
<title>{escape(title)}</title>
<meta name=description content="{attribute(description)}">
<link rel=stylesheet href="{root}site.css">
<script defer src="{root}site.js" data-root="{root}"></script>
</head>
<body>
<a class=skip href="#main">To the text</a>
<header>
<a class=home href="{root}index.html">Atmosphere</a>
<form class=search role=search hidden><input type=search placeholder="Search" aria-label="Search guides and symbols" autocomplete=off spellcheck=false><kbd>/</kbd></form>
<a class=menu href="#menu">Menu</a>
</header>
<div class=results hidden></div>
<div class=columns>
<nav id=menu aria-label=Menu><a class=close href="#main">Close</a>{self.menu.write(node, writer.href)}</nav>
<main id=main>
{body}
</main>
{contents}
</div>
</body>
</html>
"""

    @staticmethod
    def contents(node, body):
        """What stands on this page, for wide windows."""
        if node.is_symbol:
            found = re.findall(r'<h2 id="?([^">]+)"?>(.*?)</h2>', body)
        else:
            found = re.findall(r'<h[23] id="([^"]+)">(.*?)<a class=here', body) + re.findall(
                r'<h2 id="(topic-[^"]+)">(.*?)</h2>', body
            )
        if len(found) < 2:
            return ""
        items = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in found)
        return f"<aside class=contents aria-label='On this page'><h2>On this page</h2><ul>{items}</ul></aside>"
