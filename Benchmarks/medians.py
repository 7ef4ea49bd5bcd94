"""Reads lines like “NAME KIND n=1 wall=0.5 cpu=0.4 rss=12MB” and prints the medians of each kind.

The first word that holds no “=” begins the kind; the floor, which is the first line, counts as 1.
"""
import re
import statistics
import sys

runs = {}
for line in sys.stdin:
    kind = " ".join(word for word in line.split() if "=" not in word)
    runs.setdefault(kind, []).append({k: float(v) for k, v in re.findall(r"(wall|cpu|rss)=([0-9.]+)", line)})
floor = None
print(f"{'median of':>20} {'wall s':>8} {'cpu s':>8} {'peak MiB':>9} {'times the floor':>16}")
for kind, values in runs.items():
    wall, cpu, rss = (statistics.median(value[key] for value in values) for key in ("wall", "cpu", "rss"))
    floor = floor or cpu
    print(f"{f'{len(values)} {kind}':>20} {wall:8.3f} {cpu:8.3f} {rss:9.0f} {cpu / floor:16.2f}")
