"""Reads what `docc convert` has said of links, and fails at one that leads nowhere.

    python3 Scripts/site/unresolved.py LOG ARCHIVES NAME

DocC knows one module at a time. What a module says of another one is looked up in the archives that are there already, and
its name goes into ARCHIVES/NAME/elsewhere.txt, so that the site can make the link.
"""

import re
import sys
from pathlib import Path

NOWHERE = re.compile(r"doesn't exist at|is ambiguous at|couldn't be resolved|No symbol matched|isn't a disambiguation")
MISSING = re.compile(r"warning: '([^']+)' doesn't exist at")


def main(log, archives, name):
    lines = Path(log).read_text(errors="replace").splitlines()
    elsewhere, bad = set(), 0
    for number, line in enumerate(lines):
        if not NOWHERE.search(line):
            continue
        match = MISSING.search(line)
        if match and name != "Atmosphere":
            place = match.group(1).lower()
            if any(Path(archives).glob(f"*/data/documentation/{place}.json")) or any(
                Path(archives).glob(f"*/data/documentation/*/{place}.json")
            ):
                elsewhere.add(match.group(1))
                continue
        bad += 1
        print("\n".join(lines[number : number + 3]), file=sys.stderr)
    (Path(archives) / name / "elsewhere.txt").write_text("".join(f"{each}\n" for each in sorted(elsewhere)))
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
