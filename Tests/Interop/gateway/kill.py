"""Twenty pages write through a gateway that is killed again and again: kill.py ATMOS FOLDER ROUNDS SEED

Each page creates objects, each with a key of its own, and sends a create again until it is acknowledged. In the end every
object that was acknowledged is there, and none is there twice. FOLDER holds a route file with the entity `tasks`.
"""
import random
import sys
import threading
import time
import uuid

from gateway import Gateway

PAGES = 20


def main(atmos, folder, rounds, seed):
    chance = random.Random(seed)
    gateway = Gateway(atmos, folder)
    gateway.start()
    acknowledged, sent, lock, over = set(), set(), threading.Lock(), threading.Event()

    def page(number):
        own = random.Random(f"{seed}-{number}")
        count = 0
        while not over.is_set():
            count += 1
            title = f"page {number}, object {count}"
            key = str(uuid.UUID(int=own.getrandbits(128), version=4))
            with lock:
                sent.add(title)
            while True:
                try:
                    status, answer = gateway.ask(
                        "POST", "/v1/objects/tasks", {"title": title}, {"Idempotency-Key": key})
                except (OSError, ValueError, EOFError, Exception) as error:
                    if over.is_set():
                        return
                    if isinstance(error, AssertionError):
                        raise
                    time.sleep(0.02)
                    continue
                assert status == 201, (status, answer)
                with lock:
                    acknowledged.add(title)
                break

    pages = [threading.Thread(target=page, args=(number,)) for number in range(PAGES)]
    for each in pages:
        each.start()
    for _ in range(rounds):
        time.sleep(chance.uniform(0.05, 0.6))
        gateway.kill()
        gateway.start()
    time.sleep(1)
    over.set()
    for each in pages:
        each.join()
    titles, offset = [], 0
    while True:
        status, answer = gateway.ask("GET", f"/v1/objects/tasks?limit=1000&offset={offset}")
        assert status == 200, answer
        titles += [item["title"] for item in answer["items"]]
        offset += len(answer["items"])
        if offset >= answer["total"] or not answer["items"]:
            break
    ours = [title for title in titles if title in sent]
    lost, twice = acknowledged - set(ours), len(ours) - len(set(ours))
    assert gateway.end() == 0
    print(f"{rounds} kills, {len(acknowledged)} acknowledged, {len(lost)} lost, {twice} there twice")
    sys.exit(1 if lost or twice or len(acknowledged) < PAGES else 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
