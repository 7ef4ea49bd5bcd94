#!/usr/bin/env python3
"""What the gateway takes: gateway.py ATMOS FOLDER [OBJECTS] [PAGES]

Serves OBJECTS (1,000,000) tasks from memory (`atmos source`), pulls them into FOLDER, and measures the gateway in front of the copy:
lists of 100, the time from an edit until another reader hears of it, and PAGES (1,000) event streams. Prints one line for each.
FOLDER is empty or has the copy of an earlier run.
"""
import http.client
import json
import os
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import time

ROUTES = """atmosphere: 1
name: tasks
style: django-rest
base: {}
store: {{ kind: sqlite, path: tasks.db }}
pages: {{ kind: offset, parameter: offset, size: {{ parameter: limit, value: 1000 }}, total: $.count }}
resources:
  tasks:
    types: {{ done: boolean, rank: integer }}
    indexes: [rank]
"""


def milliseconds(times):
    times = sorted(times)
    return f"p50 {statistics.median(times) * 1e3:.2f} ms, p99 {times[int(len(times) * 0.99)] * 1e3:.2f} ms"


class Gateway:
    def __init__(self, atmos, folder, *options):
        environment = dict(os.environ, HOME=folder, ATMOS_TRUST=folder + "/")
        self.process = subprocess.Popen(
            [atmos, "gateway", "--port", "0", "--token-file", "token", "--json", *options], cwd=folder,
            env=environment, stdout=subprocess.PIPE)
        self.port = int(json.loads(self.process.stdout.readline())["url"].rsplit(":", 1)[1])
        self.token = open(os.path.join(folder, "token")).read().strip()
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, connection, method, path, value=None):
        headers = dict(self.headers)
        body = None
        if value is not None:
            body, headers["Content-Type"] = json.dumps(value), "application/json"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status < 300, (answer.status, content[:200])
        return json.loads(content) if content else None

    def stream(self):
        """A connection that reads events, behind the head of the answer."""
        stream = socket.create_connection(("127.0.0.1", self.port))
        stream.sendall(
            f"GET /v1/events?entity=tasks HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Authorization: Bearer {self.token}\r\n\r\n".encode())
        seen = b""
        while b"event: ready" not in seen:
            seen += stream.recv(65536)
        return stream

    def processor(self):
        """Seconds of processor time so far, and KiB of memory now."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        with open(f"/proc/{self.process.pid}/status") as file:
            memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), memory

    def end(self):
        self.process.terminate()
        self.process.wait()


def fill(atmos, folder, objects):
    """A copy of so many objects, as a first pull writes it."""
    with open(os.path.join(folder, "atmosphere.yaml"), "w") as file:
        file.write(ROUTES.format("http://127.0.0.1/api"))
    environment = dict(os.environ, HOME=folder, ATMOS_TRUST=folder + "/")
    source = subprocess.Popen(
        [atmos, "source", "--port", "0", "--seed", str(objects)], cwd=folder, env=environment, stdout=subprocess.PIPE)
    try:
        base = source.stdout.readline().decode().strip()
        with open(os.path.join(folder, "atmosphere.yaml"), "w") as file:
            file.write(ROUTES.format(base))
        subprocess.run([atmos, "pull"], cwd=folder, env=environment, check=True)
    finally:
        source.terminate()
        source.wait()


def lists(gateway, objects, what, path, turns=500):
    connection = gateway.connection()
    times = []
    for turn in range(turns):
        target = path.format(offset=turn * 7919 % max(1, objects - 100))
        begin = time.perf_counter()
        assert len(gateway.ask(connection, "GET", target)["items"]) == 100
        times.append(time.perf_counter() - begin)
    print(f"{what}: {milliseconds(times)}")


def edits(gateway, turns=500):
    connection, stream = gateway.connection(), gateway.stream()
    first = gateway.ask(connection, "GET", "/v1/objects/tasks?limit=1")["items"][0]["id"]
    saved, seen = [], []
    for turn in range(turns):
        begin = time.perf_counter()
        gateway.ask(connection, "PATCH", f"/v1/objects/tasks/{first}", {"title": f"turn {turn} of {begin}"})
        saved.append(time.perf_counter() - begin)
        heard = b""
        while b"event: changed" not in heard:
            heard += stream.recv(65536)
        seen.append(time.perf_counter() - begin)
    stream.close()
    print(f"an edit until it is answered, on the disk: {milliseconds(saved)}")
    print(f"an edit until another reader hears of it: {milliseconds(seen)}")


def pages(gateway, count, turns=20):
    connection = gateway.connection()
    first = gateway.ask(connection, "GET", "/v1/objects/tasks?limit=1")["items"][0]["id"]
    before, empty = gateway.processor()
    streams = [gateway.stream() for _ in range(count)]
    opened, memory = gateway.processor()
    selector = selectors.DefaultSelector()
    for stream in streams:
        stream.setblocking(False)
        selector.register(stream, selectors.EVENT_READ)
    times, received = [], 0
    for turn in range(turns):
        begin = time.perf_counter()
        gateway.ask(connection, "PATCH", f"/v1/objects/tasks/{first}", {"title": f"page turn {turn} of {begin}"})
        waiting = {stream: b"" for stream in streams}
        while waiting:
            for key, _ in selector.select(60):
                bytes_ = key.fileobj.recv(65536)
                received += len(bytes_)
                if key.fileobj in waiting:
                    waiting[key.fileobj] += bytes_
                    if b"event: changed" in waiting[key.fileobj]:
                        del waiting[key.fileobj]
        times.append(time.perf_counter() - begin)
    used, _ = gateway.processor()
    print(
        f"{count} event streams: {(memory - empty) / count:.1f} KiB each, {(opened - before) / count * 1e6:.0f} µs to open one; "
        f"an edit at all of them: {milliseconds(times)}, {(used - opened) / turns / count * 1e6:.1f} µs of processor time and "
        f"{received / turns / count:.0f} bytes each")


def main(atmos, folder, objects=1_000_000, count=1_000):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    atmos = os.path.abspath(atmos)
    if not os.path.exists(os.path.join(folder, "tasks.db")):
        fill(atmos, folder, objects)
    gateway = Gateway(
        atmos, folder, "--connections", str(count * 2 + 100), "--event-streams", str(count * 2 + 100))
    try:
        lists(gateway, objects, f"100 of {objects}, from the start", "/v1/objects/tasks?limit=100")
        lists(
            gateway, objects, f"100 of {objects}, by an indexed field",
            "/v1/objects/tasks?limit=100&sort=rank&where=rank%3E%3D500")
        lists(
            gateway, objects, f"100 of {objects}, from anywhere", "/v1/objects/tasks?limit=100&offset={offset}", turns=50)
        edits(gateway)
        pages(gateway, count)
    finally:
        gateway.end()


if __name__ == "__main__":
    main(sys.argv[1], os.path.abspath(sys.argv[2]), *map(int, sys.argv[3:]))
