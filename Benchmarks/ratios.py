"""Reads the lines of check.sh from both sides and prints, for each figure, the medians, their ratio and its bound.

usage: ratios.py BOUNDS < LINES
Ends with 1 where a ratio is above its bound, or a side lacks a figure.
"""
import re
import statistics
import sys

bounds = [line.rstrip("\n").split("\t") for line in open(sys.argv[1]) if not line.startswith("#")]
sides = {"before": {}, "now": {}}
objects = ""
for line in sys.stdin:
    side, text = line.rstrip("\n").split(" ", 1)
    if counted := re.fullmatch(r"(\d+ objects)", text):
        objects = counted[1]
    elif pull := re.match(r"(first pull|same again): ", text):
        for name, value in re.findall(r"(wall|cpu|rss)=([0-9.]+)", text):
            unit = {"wall": "wall s", "cpu": "cpu s", "rss": "peak MiB"}[name]
            sides[side].setdefault(f"{pull[1]}, {unit}", []).append(float(value))
    elif timed := re.fullmatch(r" +(.+): ([0-9.]+) ms(?: \(99 %: ([0-9.]+) ms\))?", text):
        # The 99th percentile of one run is a single save: it is told by query-benchmark and not judged here.
        sides[side].setdefault(f"{objects}: {timed[1]}, ms", []).append(float(timed[2]))
    else:
        sys.exit(f"ratios.py cannot read this line of {side}: {text}")

failed = []
print(f"{'':62} {'before':>10} {'now':>10} {'ratio':>6} {'bound':>6}")
for name in dict.fromkeys([*sides["before"], *sides["now"]]):
    if name not in sides["before"] or name not in sides["now"]:
        failed.append(f"{name}: only one of the two commits has it")
        continue
    before, now = (statistics.median(sides[side][name]) for side in ("before", "now"))
    bound = next(float(bound) for text, bound in bounds if text in name)
    ratio = now / before if before else 1.0
    print(f"{name:62} {before:10.3f} {now:10.3f} {ratio:6.2f} {bound:6.2f}")
    if ratio > bound:
        failed.append(f"{name}: {ratio:.2f} times before, and {bound:.2f} is the bound")
if not sides["now"]:
    failed.append("nothing was measured")
if failed:
    sys.exit("\n".join(failed))
