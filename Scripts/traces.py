#!/usr/bin/env python3
"""Compares what this tree and another commit do, seed by seed: every request, answer, decision and stored state of the
simulation is a line of a trace, and each trace has a digest.

    Scripts/traces.py COMMIT [SEEDS] [--plain]    seeds 1-1000 by default

For whoever changes the inside of synchronization and means to change nothing outside it. Tells how many seeds differ, and
of the first of them the first lines that do, with those before. Ends with 1 where one differs.
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OTHER = ROOT / ".build" / "traces"


def program(tree):
    """Built where `make simulate` builds it."""
    command = ["swift", "build", "--disable-default-traits", "--traits", "SQLite", "--scratch-path", ".build/simulate"]
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
    if subprocess.run(
            [*command, "--product", "simulate"], cwd=tree, env=environment, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"{tree} does not build")
    return tree / ".build" / "simulate" / "debug" / "simulate"


def sources(commit):
    """The files of the other commit; what was built of them before stays, where they have not changed."""
    OTHER.mkdir(parents=True, exist_ok=True)
    named = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", commit], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in named.splitlines():
        if name.startswith(("Tests/", "docs/", "Benchmarks/")):
            continue
        file = OTHER / name
        content = subprocess.run(
            ["git", "show", f"{commit}:{name}"], cwd=ROOT, check=True, capture_output=True).stdout
        if not file.is_file() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    kept = set(named.splitlines())
    for file in OTHER.joinpath("Sources").rglob("*.swift"):
        if str(file.relative_to(OTHER)) not in kept:
            file.unlink()
    manifest = OTHER / "Package.swift"
    manifest.write_text(manifest.read_text() + "\npackage.targets.removeAll { $0.type == .test }\n")
    return OTHER


def digests(program, seeds, flags):
    found = subprocess.run([program, seeds, "--digests", *flags], capture_output=True, text=True).stdout
    return dict(re.findall(r"^digest of (\d+): (\w+)$", found, re.M))


def show(seed, programs, flags):
    ours, theirs = (
        subprocess.run([each, seed, "--whole", *flags], capture_output=True, text=True).stdout.split("\n")
        for each in programs)
    first = next((n for n, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]), min(len(ours), len(theirs)))
    for line in ours[max(0, first - 8):first]:
        print(f"    {line}")
    for mark, lines in [("-", theirs), ("+", ours)]:
        for line in lines[first:first + 5]:
            print(f"  {mark} {line}")


def main():
    flags = [word for word in sys.argv[1:] if word.startswith("--")]
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if not 1 <= len(words) <= 2:
        sys.exit(__doc__)
    commit, seeds = words[0], (words + ["1-1000"])[1]
    programs = [program(ROOT), program(sources(commit))]
    ours, theirs = (digests(each, seeds, flags) for each in programs)
    other = [seed for seed in ours if ours[seed] != theirs.get(seed)]
    print(f"{len(ours) - len(other)} of {len(ours)} seeds do the same as at {commit}")
    if other:
        print(f"seed {other[0]} (- at {commit}, + here):")
        show(other[0], programs, flags)
    sys.exit(1 if other else 0)


if __name__ == "__main__":
    main()
