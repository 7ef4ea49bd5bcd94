"""Makes static pages of what `docc convert` has written: they open from a folder, with search, without a server.

    python3 Scripts/site ARCHIVES FOLDER

ARCHIVES holds one folder for each module, named after it, and one named Project for the files that `project.txt` names.
FOLDER is replaced as a whole. Links that lead nowhere are found afterwards, by `Scripts/links.py FOLDER`.
"""

import json
import shutil
import sys
from pathlib import Path

from archive import Site
from pages import Pages

HERE = Path(__file__).resolve().parent
MARK = ".made-by-scripts-site"


def main(archives, folder):
    folder = Path(folder)
    if folder.exists():
        # Nothing is replaced that this has not made.
        if any(folder.iterdir()) and not (folder / MARK).exists():
            sys.exit(f"{folder} holds something else; name an empty folder, or one that does not exist")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / MARK).touch()
    site = Site(archives, HERE.parent.parent)
    pages = Pages(site)
    written = {}
    for node in pages.nodes():
        if node.url in written:
            sys.exit(f"{node.path} and {written[node.url]} would both be {node.url}")
        written[node.url] = node.path
        path = folder / node.url
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages.write(node), encoding="utf-8")
    for source, place in site.copied.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(site.repository / source, folder / place)
    for name in ("site.css", "site.js"):
        shutil.copyfile(HERE / name, folder / name)
    # A script and no JSON: pages that were opened from a folder may load the one, and not the other.
    entries = sorted(pages.entries, key=lambda entry: entry[4])
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    (folder / "search.js").write_text(f"window.atmosphereSearch={text}\n", encoding="utf-8")
    print(f"{folder}/index.html: {len(written)} pages, {len(entries)} entries for the search")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
