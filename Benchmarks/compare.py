"""Checks that a pull ended in the same state as the yardstick: the same identifiers with the same JSON text.

usage: compare.py STORE YARDSTICK
"""
import sqlite3
import sys

ours, yardstick = (sqlite3.connect(path) for path in sys.argv[1:3])
left = ours.execute("SELECT key, record, version FROM object_1 ORDER BY key")
right = yardstick.execute("SELECT id, json, updated_at FROM object JOIN meta USING(id) ORDER BY id")
count = 0
for count, (one, other) in enumerate(zip(left, right, strict=True), 1):
    if one != other:
        sys.exit(f"the end states differ: {one} in the store, {other} in the yardstick")
print(f"the end states are the same: {count} objects")
if count == 0:
    sys.exit("nothing was compared")
