#!/usr/bin/env python3
"""Benchmarks/start.py ROUNDS COMMAND…    runs the commands in turn and prints the medians of each, in milliseconds"""

import os
import shlex
import statistics
import sys
import time

NOWHERE = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]


def run(arguments: list[str]) -> tuple[float, float]:
    """Processor time and time of the clock. Spawned, so that nothing of this process is copied and counted."""
    begun = time.perf_counter()
    child = os.posix_spawnp(arguments[0], arguments, os.environ, file_actions=NOWHERE)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - begun
    if status:
        sys.exit(f"start: {shlex.join(arguments)} ended with {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime, wall


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    commands = sys.argv[2:]
    runs = {command: [] for command in commands}
    for _ in range(int(sys.argv[1])):
        for command in commands:
            runs[command].append(run(shlex.split(command)))
    print(f"{'CPU ms':>8}  {'wall ms':>8}  command")
    for command, times in runs.items():
        used, wall = (statistics.median(each) * 1000 for each in zip(*times))
        first, *rest = shlex.split(command)
        print(f"{used:8.2f}  {wall:8.2f}  {shlex.join([os.path.basename(first), *rest])}")


main()
