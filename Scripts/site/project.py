"""Puts the files that `project.txt` names into a catalog for DocC: python3 Scripts/site/project.py FOLDER"""

import re
import sys
from pathlib import Path

from archive import BACKTICK, project_files, project_name

HERE = Path(__file__).resolve().parent
ROOT = (
    "# Project\n\nWhat is written for people beside the guides.\n\n@Metadata {\n    @TechnologyRoot\n}\n\n## Topics\n\n"
)


def as_article(text):
    """Code between two backticks is code; DocC would take it for the name of a symbol. Backticks in it are put back later."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    code = re.compile(r"(?<!`)``(?!`)(.+?)(?<!`)``(?!`)")
    single = lambda match: f"`{match.group(1).strip().replace('`', BACKTICK)}`"
    parts[::2] = [code.sub(single, part) for part in parts[::2]]
    return "".join(parts)


def manual_as_article(text):
    """A manual page, as `atmos manual` writes it, as Markdown: commands are sections, and options are rows of tables."""
    escapes = {"e": "\\", "&": ""}
    text = re.sub(r"\\(.)", lambda match: escapes.get(match.group(1), match.group(1)), text)
    out, row = [], None

    def plain(words):
        # An option is code, and of two hyphens DocC would make a dash.
        pieces = re.split(r"((?<!\w)--[a-z][a-z-]*)", words)
        pieces[::2] = [re.sub(r"([<>*_`\[\]])", r"\\\1", each) for each in pieces[::2]]
        pieces[1::2] = [f"`{each}`" for each in pieces[1::2]]
        return "".join(pieces)

    def end_row():
        nonlocal row
        if row:
            if not (out and out[-1].startswith("| ")):
                out.extend(["", "| argument | meaning |", "|---|---|"])
            out.append("| `{}` | {} |".format(row[0], " ".join(plain(each) for each in row[1:]).replace("|", "\\|")))
        row = None

    code = 0  # where the lines of the code begin
    for line in text.splitlines():
        macro, _, rest = line.partition(" ")
        if code and macro != ".fi":
            out.append(line)
        elif macro in (".SH", ".SS"):
            end_row()
            title = rest.strip('"')
            out.extend(["", f"### {title}" if macro == ".SS" else f"## {title.capitalize()}", ""])
        elif macro == ".TP":
            end_row()
            row = []
        elif macro in (".B", ".I", ".IR", ".BR"):
            words = rest.replace('" "', "\0").replace(" ", "").replace("\0", " ") if macro in (".IR", ".BR") else rest
            if row is not None and not row:
                row.append(words.replace("|", "\\|"))
            else:
                out.append(f"`{words}`")
        elif macro == ".nf":
            end_row()
            out.extend(["", "```"])
            code = len(out)
        elif macro == ".fi":
            if any(each.startswith("atmos ") for each in out[code:]):
                out[code - 1] += "sh"
            out.extend(["```", ""])
            code = 0
        elif macro == ".PP":
            end_row()
            out.append("")
        elif macro in (".TH", ".RS", ".RE"):
            continue
        elif row is not None:
            row.append(line)
        else:
            out.append(plain(line))
    end_row()
    article = re.sub(r"## Name\n\natmos - (.*?)\n", r"\1\n", "\n".join(out))
    return "# The command atmos\n" + re.sub(r"\n{3,}", "\n\n", article) + "\n"


def main(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for path in project_files(HERE.parent.parent):
        name = project_name(path)
        if name in names:
            sys.exit(f"{path}: another file has the name {name}, too")
        names.append(name)
        text = (HERE.parent.parent / path).read_text(encoding="utf-8")
        article = as_article(text) if path.endswith(".md") else manual_as_article(text)
        (folder / f"{name}.md").write_text(article, encoding="utf-8")
    (folder / "Project.md").write_text(ROOT + "".join(f"- <doc:{name}>\n" for name in names))


if __name__ == "__main__":
    main(sys.argv[1])
