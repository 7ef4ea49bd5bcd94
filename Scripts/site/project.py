"""Puts the files that `project.txt` names into a catalog for DocC: python3 Scripts/site/project.py FOLDER"""

import re
import sys
from pathlib import Path

from archive import BACKTICK, project_files, project_name

HERE = Path(__file__).resolve().parent
ROOT = "# Project\n\nWhat is written for people beside the guides.\n\n@Metadata {\n    @TechnologyRoot\n}\n\n## Topics\n\n"


def as_article(text):
    """Code between two backticks is code; to DocC it would be the name of a symbol. So one does, and those in it stand for them."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    code = re.compile(r"(?<!`)``(?!`)(.+?)(?<!`)``(?!`)")
    parts[::2] = [code.sub(lambda match: f"`{match.group(1).strip().replace('`', BACKTICK)}`", part) for part in parts[::2]]
    return "".join(parts)


def main(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for path in project_files(HERE.parent.parent):
        name = project_name(path)
        if name in names:
            sys.exit(f"{path}: another file has the name {name}, too")
        names.append(name)
        (folder / f"{name}.md").write_text(as_article((HERE.parent.parent / path).read_text()))
    (folder / "Project.md").write_text(ROOT + "".join(f"- <doc:{name}>\n" for name in names))


if __name__ == "__main__":
    main(sys.argv[1])
