"""Twenty pages write through a gateway that is killed again and again: kill.py ATMOS FOLDER ROUNDS SEED

Each page creates objects, edits each, and deletes every third, and sends each of these again until it is acknowledged. In
the end what was acknowledged is there, and nothing is there twice. FOLDER holds a route file with the entity `tasks`.

As many kills as ROUNDS come at random moments; as many before the 1st, 2nd, ... call that changes a file of the folder; and as
many before, and in the middle of, the 1st, 2nd, ... call that writes to a socket.
"""
import collections
import os
import random
import shutil
import subprocess
import sys
import threading
import time
import uuid

from gateway import Gateway

PAGES = 20


class Page(threading.Thread):
    """Writes one object after another; remembers what was asked for and what was acknowledged."""

    def __init__(self, gateway, number, seed):
        super().__init__(daemon=True)
        self.gateway, self.number, self.chance = gateway, number, random.Random(f"{seed}-{number}")
        self.is_over = threading.Event()
        self.asked, self.acknowledged, self.failure = collections.defaultdict(set), collections.defaultdict(set), None

    def run(self):
        count = 0
        try:
            while not self.is_over.is_set():
                count += 1
                self.write(f"page {self.number}, object {count}", is_deleted=count % 3 == 0)
        except Exception as error:
            self.failure = error

    def write(self, title, is_deleted):
        key = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        answer = self.ask(title, "create", "POST", "/v1/objects/tasks", {"title": title}, {"Idempotency-Key": key}, (201,))
        if answer is None:
            return
        place = f"/v1/objects/tasks/{answer['id']}"
        if self.ask(title, "edit", "PATCH", place, {"rank": 1}, {}, (200,)) is None or not is_deleted:
            return
        # The answer to the first may be lost.
        self.ask(title, "delete", "DELETE", place, None, {}, (204, 404))

    def ask(self, title, what, method, path, value, headers, expected):
        self.asked[title].add(what)
        while not self.is_over.is_set():
            try:
                status, answer = self.gateway.ask(method, path, value, headers)
            except Exception:
                # The gateway is not there, or was killed while it answered.
                self.is_over.wait(0.02)
                continue
            assert status in expected, (method, path, status, answer)
            self.acknowledged[title].add(what)
            return answer or {}
        return None


def points(folder):
    """Lets a command end at a call of its own, as the environment says."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Fixtures/filepoints.c")
    compiler = shutil.which("cc") or shutil.which("clang")
    assert compiler, "no C compiler (cc or clang) in PATH"
    library = os.path.join(folder, "filepoints.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def kill_at_random(gateway, rounds, chance):
    for _ in range(rounds):
        gateway.start()
        time.sleep(chance.uniform(0.05, 0.6))
        gateway.kill()
    return rounds


def kill_at_points(gateway, rounds, library, place, fault):
    """At the call of the round's number since the gateway began; how often there was one within ten seconds."""
    met = 0
    for number in range(1, rounds + 1):
        gateway.start(LD_PRELOAD=library, FILEPOINTS_FOLDER=place, FILEPOINTS_AT=str(number), FILEPOINTS_DO=fault)
        met += gateway.ends_within(10)
        gateway.kill()
    return met


def main(gateway, rounds, seed):
    folder = gateway.folder
    library = points(folder)
    gateway.start()
    pages = [Page(gateway, number, seed) for number in range(PAGES)]
    for each in pages:
        each.start()
    gateway.kill()
    kills = kill_at_random(gateway, rounds, random.Random(seed))
    for place, fault in ((folder + "/", "kill"), ("socket:[", "kill"), ("socket:[", "tear")):
        met = kill_at_points(gateway, rounds, library, place, fault)
        kills += met
        assert met > rounds / 2, f"{met} of {rounds} met a call of {place}"
    gateway.start()
    time.sleep(1)
    for each in pages:
        each.is_over.set()
    for each in pages:
        each.join()
        if each.failure:
            raise each.failure
    found, offset = collections.defaultdict(list), 0
    while True:
        status, answer = gateway.ask("GET", f"/v1/objects/tasks?limit=1000&offset={offset}")
        assert status == 200, answer
        for item in answer["items"]:
            found[item["title"]].append(item)
        offset += len(answer["items"])
        if offset >= answer["total"] or not answer["items"]:
            break
    assert gateway.end() == 0
    asked = {title: kinds for page in pages for title, kinds in page.asked.items()}
    acknowledged = {title: kinds for page in pages for title, kinds in page.acknowledged.items()}
    wrong = [f"nobody made {title}" for title in found if title not in asked]
    for title, kinds in asked.items():
        kept, here = acknowledged.get(title, set()), found[title]
        if len(here) > 1:
            wrong.append(f"{title} is there {len(here)} times")
        elif "delete" in kept and here:
            wrong.append(f"{title} was deleted and is there")
        elif "create" in kept and "delete" not in kinds and not here:
            wrong.append(f"{title} is lost")
        elif "edit" in kept and here and here[0].get("rank") != 1:
            wrong.append(f"the edit of {title} is lost")
    counts = collections.Counter(kind for kinds in acknowledged.values() for kind in kinds)
    print("\n".join(wrong))
    print(f"{kills} kills; acknowledged: {dict(counts)}; {len(wrong)} wrong")
    sys.exit(1 if wrong or not counts["delete"] else 0)


if __name__ == "__main__":
    with Gateway(sys.argv[1], sys.argv[2]) as gateway:
        main(gateway, int(sys.argv[3]), int(sys.argv[4]))
