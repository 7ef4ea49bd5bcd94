"""Reads what `docc convert` has written, and says which page of the site each piece of it goes to."""

import json
import posixpath
import re
from pathlib import Path
from urllib.parse import quote, unquote, urlparse

# Stands for a backtick inside of code, on the way through DocC.
BACKTICK = "\ue000"

# Symbols with a page of their own. All others stand on the page of what they are members of.
WITH_PAGE = {"struct", "class", "enum", "protocol", "actor", "module", "extension"}


def file_name(text):
    return re.sub(r"[^a-z0-9._-]", "-", text.lower()).strip("-") or "page"


def github_slug(title):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


class Node:
    """One render document: a guide, a module, a type or a member."""

    def __init__(self, document, archive):
        self.document = document
        self.archive = archive
        self.metadata = document["metadata"]
        # /documentation/module/type/member
        self.path = urlparse(document["identifier"]["url"]).path.lower()
        self.parts = self.path.split("/")[2:]
        self.title = self.metadata.get("title", self.parts[-1])
        self.kind = self.metadata.get("symbolKind") or self.metadata.get("role", "")
        self.role = self.metadata.get("roleHeading", "")
        self.references = document.get("references", {})
        self.parent = None
        self.members = []  # without pages of their own
        self.url = None  # of the page, from the root of the site
        self.anchor = None
        self.source = None  # the Markdown file, from the root of the repository
        self.anchors = {}  # what a link may name, and the identifier it has on the page

    @property
    def is_symbol(self):
        return self.document["kind"] == "symbol"

    @property
    def is_module(self):
        return len(self.parts) == 1

    @property
    def is_foreign_module(self):
        return self.role == "Extended Module"

    @property
    def is_extension(self):
        return self.role.startswith("Extended ")

    @property
    def href(self):
        return self.url + ("#" + quote(self.anchor) if self.anchor else "")

    @property
    def declarations(self):
        for section in self.document.get("primaryContentSections", []):
            if section["kind"] == "declarations":
                yield from section["declarations"]

    def topics(self):
        """The title and the nodes of each group."""
        for section in self.document.get("topicSections", []):
            nodes = [self.archive.site.by_identifier(each) for each in section["identifiers"]]
            title = section.get("title")
            # The modules do not matter, but what is extended in them.
            title = "Extensions" if title == "Extended Modules" else title
            yield title, [each for node in nodes if node for each in node.itself()]

    def itself(self):
        """What a group of DocC's own holds, such as the members that a conformance brings, or the types of another module that
        this one extends; elsewhere the node."""
        if self.metadata.get("role") != "collectionGroup" and not self.is_foreign_module:
            return [self]
        return [each for _, nodes in self.topics() for each in nodes]


class Archive:
    """What `docc convert` made of one module, or of the files of the project."""

    def __init__(self, site, folder):
        self.site = site
        self.name = folder.name
        self.nodes = []
        elsewhere = folder / "elsewhere.txt"
        # What DocC could not resolve in this module alone, and another one has.
        self.elsewhere = set(elsewhere.read_text().splitlines()) if elsewhere.exists() else set()
        for path in sorted((folder / "data" / "documentation").rglob("*.json")):
            node = Node(json.loads(path.read_text().replace(BACKTICK, "`")), self)
            self.nodes.append(node)
        by_path = {node.path: node for node in self.nodes}
        self.root = min(self.nodes, key=lambda node: len(node.parts))
        for node in self.nodes:
            parts = node.path.split("/")
            while len(parts) > 3 and node.parent is None and node.is_symbol:
                parts.pop()
                node.parent = by_path.get("/".join(parts))

    @property
    def guides(self):
        return [node for node in self.nodes if not node.is_symbol and node.metadata.get("role") != "collectionGroup"]


class Site:
    """All archives, and where everything of them stands."""

    def __init__(self, folder, repository):
        self.repository = Path(repository)
        self.archives = [Archive(self, path) for path in sorted(Path(folder).iterdir()) if (path / "data").is_dir()]
        self.identifiers, self.paths, self.symbols, self.files = {}, {}, {}, {}
        self.copied = {}
        for archive in self.archives:
            sources = self.sources(archive)
            for node in archive.nodes:
                self.identifiers[node.document["identifier"]["url"].lower()] = node
                self.paths[node.path] = node
                if "externalID" in node.metadata:
                    self.symbols.setdefault(node.metadata["externalID"], node)
                self.place(node, sources)
            for source in sources.values():
                if source not in self.files:
                    # DocC gives a guide and a type of one name one path, and the type wins.
                    raise SystemExit(f"{source}: nothing was made of it; is there a type of this name?")

    def sources(self, archive):
        """The Markdown files of an archive's catalog by their names in lower case."""
        if archive.name == "Project":
            return {project_name(path).lower(): path for path in project_files(self.repository)}
        catalogs = [
            each for top in ("Sources", "Adapters") for each in self.repository.glob(f"{top}/**/{archive.name}.docc")
        ]
        return {
            path.stem.lower(): path.relative_to(self.repository).as_posix()
            for catalog in catalogs
            for path in catalog.rglob("*.md")
        }

    def place(self, node, sources):
        last = node.parts[-1]
        node.source = sources.get(last) if not node.is_symbol or node.is_module else None
        if node.source:
            self.files[node.source] = node
        if node.source == "README.md":
            node.url = "index.html"
        elif not node.is_symbol:
            folder = "project" if node.archive.name == "Project" else "guides"
            node.url = f"{folder}/{file_name(last)}.html"
        elif node.is_module:
            node.url = f"{file_name(last)}/index.html"
        elif node.kind in WITH_PAGE or node.parent is None or node.parent.is_module:
            node.url = f"{file_name(node.parts[0])}/{file_name('.'.join(node.parts[1:]))}.html"
        else:
            owner = node.parent
            while owner.kind not in WITH_PAGE and owner.parent and not owner.parent.is_module:
                owner = owner.parent
            owner.members.append(node)
            node.url, node.anchor = f"{file_name(node.parts[0])}/{file_name('.'.join(owner.parts[1:]))}.html", last
            if owner is not node.parent:
                node.anchor = "/".join(node.parts[len(owner.parts) :])

    def by_identifier(self, identifier):
        return self.identifiers.get(identifier.split("#")[0].lower())

    def elsewhere(self, name, archive):
        """The place of a symbol or a guide that another module has, the core before all others."""
        others = sorted(
            (each for each in self.archives if each is not archive), key=lambda each: each.name != "Atmosphere"
        )
        for other in others:
            if other.root.path == f"/documentation/{name.lower()}":
                return other.root
            node = self.paths.get(f"{other.root.path}/{name.lower()}")
            if node:
                return node
        return None

    def resolve(self, url, page):
        """Where a link of a page leads to, from the root of the site; none for what is not part of it.

        - a path of DocC: /documentation/atmosphere/routefile#Overview
        - a file of the repository, relative to the file that the page was made from
        """
        path, _, fragment = url.partition("#")
        if path.startswith("/documentation/"):
            node = self.paths.get(path.lower())
        elif not path:
            node = page
        else:
            place = posixpath.normpath(posixpath.join(posixpath.dirname(page.source or ""), unquote(path)))
            node = self.files.get(place) or self.files.get(place + "/README.md")
            if not node and (self.repository / place).is_file() and not place.startswith(".."):
                self.copied[place] = "files/" + place
                return "files/" + quote(place)
        if not node:
            return None
        if not fragment:
            return node.href
        fragment = unquote(fragment)
        return node.url + "#" + quote(node.anchors.get(fragment) or node.anchors.get(fragment.lower()) or fragment)


def project_files(repository):
    """The files of the project that are pages, in the order of the menu."""
    lines = (Path(repository) / "Scripts/site/project.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def project_name(path):
    """The name that a file of the project has in DocC's catalog of them: Samples/QuickStart/README.md is QuickStart."""
    parts = path.removesuffix(".md").split("/")
    name = parts[-2] if parts[-1] == "README" and len(parts) > 1 else parts[-1]
    return re.sub(r"[^A-Za-z0-9]", "-", name)
