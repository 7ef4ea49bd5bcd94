#!/usr/bin/env python3
"""Says which links lead nowhere, with the file and the line of each, and fails then. It asks no other machine.

Scripts/links.py            every Markdown file of the repository: files, anchors, guides (doc:), paths in code
Scripts/links.py FOLDER     every page of a site that `make site` has made, and what its search leads to
Scripts/links.py --check    itself: each kind of link that leads nowhere is found
"""

import json
import posixpath
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?<!\\)\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|<(doc:[^>\s]+)>|^\s{0,3}\[[^\]]+\]:\s+(\S+)")
CODE = re.compile(r"(`+)(.+?)(?<!`)\1(?!`)")
# Code that names a file of the repository.
PATH = re.compile(r"(?:docs|Samples|Scripts|Sources|Tests|Adapters|Benchmarks)/[\w./+-]*\w/?")
# What it says was true when it was written.
HISTORY = {"CHANGELOG.md"}


def github_anchor(title):
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def docc_anchor(title):
    return re.sub(r"\s+", "-", re.sub(r"[`“”\"'’]", "", title.strip())).strip("-")


class Document:
    """One Markdown file: its lines of text, without code, and its anchors."""

    def __init__(self, path, root):
        self.name = path.relative_to(root).as_posix()
        self.text, self.github, self.docc = [], set(), set()
        fence, seen = None, {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            mark = re.match(r"\s*(```+|~~~+)", line)
            if fence:
                if mark and mark.group(1).startswith(fence):
                    fence = None
                continue
            if mark:
                fence = mark.group(1)
                continue
            self.text.append((number, line))
            heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
            if heading:
                slug = github_anchor(heading.group(1))
                seen[slug] = seen.get(slug, -1) + 1
                self.github.add(slug if not seen[slug] else f"{slug}-{seen[slug]}")
                self.docc.add(docc_anchor(heading.group(1)).lower())


def markdown_files(root):
    # The files that are the project's, not those that a build has brought.
    command = ["git", "-C", root, "ls-files", "-co", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return [root / name for name in listed.stdout.splitlines() if (root / name).exists()]
    hidden = lambda path: any(part.startswith(".") for part in path.relative_to(root).parts)
    return [path for path in root.rglob("*.md") if not hidden(path)]


def check_markdown(root):
    documents = {each.name: each for each in (Document(path, root) for path in markdown_files(root))}
    guides = {}
    for name, document in documents.items():
        if ".docc/" in name:
            guides[Path(name).stem] = document
    findings, count = [], 0
    for name, document in sorted(documents.items()):
        for number, line in document.text:
            for target in (next(filter(None, match)) for match in LINK.findall(CODE.sub("", line))):
                count += 1
                problem = problem_of(target, document, documents, guides, root)
                if problem:
                    findings.append(f"{name}:{number}: {problem}")
            if name in HISTORY:
                continue
            for _, code in CODE.findall(line):
                if PATH.fullmatch(code):
                    count += 1
                    if not (root / code).exists():
                        findings.append(f"{name}:{number}: there is no {code}")
    return findings, f"{count} links in {len(documents)} Markdown files"


def problem_of(target, document, documents, guides, root):
    if target.startswith("doc:"):
        path, _, fragment = target.removeprefix("doc:").partition("#")
        other = guides.get(path) if path else document
        if ".docc/" not in document.name:
            return f"{target} is a link for DocC alone; name the file"
        if not other:
            return f"there is no guide {path}"
        if fragment and unquote(fragment).lower() not in other.docc:
            return f"there is no heading {fragment} in {other.name}"
        return None
    if urlparse(target).scheme:
        return None
    path, _, fragment = target.partition("#")
    if path.startswith("/"):
        return f"{path} is no place in the repository; begin where the file stands"
    place = (
        posixpath.normpath(posixpath.join(posixpath.dirname(document.name), unquote(path))) if path else document.name
    )
    if not (root / place).exists():
        return f"there is no {place}"
    if fragment and place in documents and unquote(fragment) not in documents[place].github:
        return f"there is no heading {fragment} in {place}"
    return None


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id":
                self.ids.add(value)
            elif key in ("href", "src") and value:
                self.links.append((self.getpos()[0], value))


def check_site(folder):
    pages = {path.relative_to(folder).as_posix(): Page(path) for path in sorted(folder.rglob("*.html"))}
    links = [(name, number, link) for name, page in pages.items() for number, link in page.links]
    script = (folder / "search.js").read_text(encoding="utf-8")
    entries = json.loads(script.removeprefix("window.atmosphereSearch=").replace("<\\/", "</"))
    links += [("search.js", 1, entry[2]) for entry in entries]
    findings = []
    for name, number, link in links:
        if urlparse(link).scheme:
            continue
        path, _, fragment = link.partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(path))) if path else name
        if not (folder / place).is_file():
            findings.append(f"{folder}/{name}:{number}: there is no {place}")
        elif fragment and place in pages and unquote(fragment) not in pages[place].ids:
            findings.append(f"{folder}/{name}:{number}: there is no place {fragment} in {place}")
    if not pages:
        findings.append(f"{folder}: there is no page")
    return findings, f"{len(links)} links in {len(pages)} pages"


MARKDOWN = """# First

[a](there.md) [b](there.md#second-part) [c](#first) [d](https://example.com/nowhere) `[e](nowhere.md)` <doc:nowhere>
[f](nowhere.md)
[g](there.md#nowhere) [h](#nowhere)
`Scripts/nowhere.py` `Scripts/`
```
[i](nowhere.md)
```
[j]: nowhere.md
"""
GUIDE = """# Guide

<doc:Guide> <doc:Guide#Second-part> <doc:#Second-part>

## Second part

<doc:Nowhere> <doc:Guide#nowhere>
"""
PAGE = """<p id=here><a href="#here">a</a>
<a href="page.html#nowhere">b</a>
<a href="nowhere.html">c</a>
"""
SEARCH = 'window.atmosphereSearch=[["a","","page.html#here","",0],["b","","page.html#nowhere","",0]]\n'
EXPECTED = {
    "first.md:3: doc:nowhere is a link for DocC alone; name the file",
    "first.md:4: there is no nowhere.md",
    "first.md:5: there is no heading nowhere in there.md",
    "first.md:5: there is no heading nowhere in first.md",
    "first.md:6: there is no Scripts/nowhere.py",
    "first.md:10: there is no nowhere.md",
    "A.docc/Guide.md:7: there is no guide Nowhere",
    "A.docc/Guide.md:7: there is no heading nowhere in A.docc/Guide.md",
    "page.html:2: there is no place nowhere in page.html",
    "page.html:3: there is no nowhere.html",
    "search.js:1: there is no place nowhere in page.html",
}


def check_itself():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        files = {"first.md": MARKDOWN, "there.md": "# There\n\n## Second part\n", "A.docc/Guide.md": GUIDE}
        files |= {"page.html": PAGE, "search.js": SEARCH, "Scripts/there.py": ""}
        for name, text in files.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = check_markdown(root)[0] + [each.removeprefix(f"{root}/") for each in check_site(root)[0]]
        findings = [f"not found: {each}" for each in sorted(EXPECTED - set(found))]
        findings += [f"found, and leads somewhere: {each}" for each in sorted(set(found) - EXPECTED)]
        return findings, (
            f"each of {len(EXPECTED)} that lead nowhere is found" if not findings else "this finds less or more"
        )


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    if arguments == ["--check"]:
        findings, what = check_itself()
    else:
        findings, what = check_site(Path(arguments[0])) if arguments else check_markdown(ROOT)
        what += f", {len(findings) or 'none'} {'lead' if len(findings) > 1 else 'leads'} nowhere"
    print("\n".join(findings), file=sys.stderr, end="\n" if findings else "")
    print(f"links: {what}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
