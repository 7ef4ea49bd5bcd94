"""Three servers that share a Redis, with kills: cluster.py ATMOS FOLDER

Starts Redis and the servers itself, on free ports, with their files in FOLDER. Prints one line for each check that does
not hold, with exit status 1; else the number of checks.
"""
import json
import os
import queue
import socket
import subprocess
import threading
import time

import redis
import requests
import socketio
import websocket

from serving import ANN, BOB, PUBLISHER, atmos, check, folder, processes, run, write

HEADERS = {"authorization": f"Bearer {PUBLISHER}"}
PASSWORD = "a password of redis"


def until(name, condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if condition():
                return check(name, True)
        except (requests.ConnectionError, redis.ConnectionError, redis.BusyLoadingError):
            pass
        time.sleep(0.005)
    check(name, False, "not in time")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Redis:
    def __init__(self):
        self.port = free_port()
        self.folder = f"{folder}/redis-{self.port}"
        os.mkdir(self.folder)
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder, "--save", "",
             "--appendonly", "yes", "--appendfsync", "always", "--requirepass", PASSWORD],
            stdout=subprocess.DEVNULL)
        processes.append(self.process)
        self.client = redis.Redis(port=self.port, password=PASSWORD)
        until("redis starts", lambda: self.client.ping())

    def kill(self):
        self.process.kill()
        self.process.wait()


class Node:
    def __init__(self, server, emitters=("socket.io", "python-socketio"), waits=True):
        self.process = subprocess.Popen(
            [atmos, "serve", "--port", "0", "--publishers", f"{folder}/publishers.keys", "--clients",
             f"{folder}/clients.keys", "--redis", f"redis://127.0.0.1:{server.port}", "--redis-password",
             "secret:REDIS_PASSWORD", *(word for kind in emitters for word in ("--emitters", kind))],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "REDIS_PASSWORD": PASSWORD})
        processes.append(self.process)
        self.url = self.process.stdout.readline().strip()
        if waits:
            until("a server is ready", lambda: self.health().status_code == 200)

    def health(self):
        return requests.get(self.url + "/healthz", timeout=60)

    def stats(self):
        return requests.get(self.url + "/stats", headers=HEADERS, timeout=60).json()

    def publish(self, data, to=("ann",), **more):
        return requests.post(
            self.url + "/notification", json={"to": to if isinstance(to, dict) else list(to), "data": data, **more},
            headers=HEADERS, timeout=60)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Client:
    """A WebSocket that speaks as the reference client does, and comes back with what it knows."""

    def __init__(self, node, token=ANN, meanwhile=lambda: None, **auth):
        self.socket = websocket.create_connection(
            node.url.replace("http", "ws", 1) + "/socket.io/?EIO=4&transport=websocket", timeout=60)
        self.socket.recv()
        self.socket.send("40" + json.dumps({"token": token, **auth}))
        meanwhile()
        self.connected = self.message()
        self.pid = json.loads(self.connected[2:])["pid"]
        self.sid = json.loads(self.connected[2:])["sid"]
        self.offset = auth.get("offset")

    def message(self):
        while True:
            data = self.socket.recv()
            if data != "2":
                return data
            self.socket.send("3")

    def event(self):
        """The next event: its name and what it tells."""
        parts = json.loads(self.message()[2:])
        if parts[0] in ("update", "notification", "ready", "resync") and len(parts) == 3:
            self.offset = parts[2]
        data = parts[1] if len(parts) > 1 else None
        return parts[0], data.get("data") if isinstance(data, dict) and parts[0] == "notification" else data

    def events(self, number):
        return [self.event()[1] for _ in range(number)]

    def back(self, node, **more):
        return Client(node, pid=self.pid, offset=self.offset, **more)

    def emit(self, name, rooms, number=""):
        self.socket.send(f"42{number}" + json.dumps([name, rooms]))

    def lose(self):
        """As where the network is gone: the server hears nothing of it."""
        self.socket.sock.close()


def main():
    write("clients.keys", f"{ANN} ann tasks/*\n{BOB} bob tasks/*\n")
    server = Redis()
    a, b, c = (Node(server) for _ in range(3))

    # Every server reaches every client, once and in one order; an id counts for all of them.
    clients = [Client(node) for node in (a, b, c)]
    for client in clients:
        name, _ = client.event()
        check("ready", name == "ready", name)
    for number in range(30):
        (a, b, c)[number % 3].publish(number, id=f"n{number}")
    check("again elsewhere", b.publish(0, id="n0").json()["duplicate"] is True)
    for client in clients:
        seen = client.events(30)
        check("all, once and in order", seen == list(range(30)), seen)
    check("the same offset everywhere", len({client.offset for client in clients}) == 1)

    # A server is killed: its client comes back to another one and gets what it missed, rooms and all.
    lost = clients[0]
    lost.socket.send('420["subscribe",["tasks/1"]]')
    check("subscribed", lost.message().startswith("430"))
    until("known to all", lambda: any(
        b"tasks/1" in (server.client.get(key) or b"") for key in server.client.keys("*:pid:*")))
    a.kill()
    b.publish("while a is dead", to={"rooms": ["tasks/1"]})
    c.publish("more")
    again = lost.back(b)
    check("the same pid", again.pid == lost.pid)
    seen = again.events(2)
    check("missed while the server was dead", seen == ["while a is dead", "more"], seen)
    a = Node(server)
    moved = again.back(a)
    # It cannot know what emitters sent before it listened.
    name, _ = moved.event()
    check("a server that has just begun tells who comes to pull", name == "resync", name)
    c.publish("live")
    seen = moved.events(1)
    check("nothing twice on the next server", seen == ["live"], seen)
    for client in clients[1:]:
        client.events(2)

    # The loss of a connection is noticed late, when the client is long back on another server, and listens to more.
    late = Client(b)
    late.event()
    back = late.back(c)
    back.socket.send('420["subscribe",["tasks/8"]]')
    check("listens to more", back.message().startswith("430"))
    key = f"{{atmosphere}}:pid:{late.pid}"
    until("that is known", lambda: b"tasks/8" in (server.client.get(key) or b""))
    joined = b.stats()["clients_joined"]
    late.socket.close()
    until("the old one is noticed to be gone", lambda: b.stats()["clients_joined"] == joined - 1)
    # What a server tells Redis goes there in order: behind this everything has been said.
    other = Client(b)
    until("all has been said", lambda: server.client.exists(f"{{atmosphere}}:pid:{other.pid}"))
    check("it changed nothing", b"tasks/8" in server.client.get(key) and server.client.pttl(key) > 3_600_000,
          (server.client.get(key), server.client.pttl(key)))
    other.socket.close()
    back.socket.close()

    # Redis is killed and started again, with clients connected and publishers waiting.
    server.kill()
    until("a server says that it has no Redis", lambda: b.health().status_code == 503)
    metrics = requests.get(b.url + "/metrics", headers=HEADERS, timeout=60).text
    check("so do the metrics", "\natmosphere_broker_up 0\n" in metrics)
    server.start()
    check("published after the restart", c.publish("after").status_code == 200)
    for client in [moved] + clients[1:]:
        seen = [client.event() for _ in range(2 if client is not moved else 1)]
        # Emitters' messages may have been missed meanwhile, so clients are told to pull as well.
        names = [name for name, _ in seen]
        while ("notification", "after") not in seen:
            seen.append(client.event())
        check("no client lost it", ("notification", "after") in seen, (names, seen))

    # Back ends that write for other Socket.IO servers.
    for node in (a, b, c):
        until("listening again", lambda: node.health().status_code == 200)
    fresh = Client(c, token=BOB)
    check("bob is ready", fresh.event()[0] == "ready")
    manager = socketio.RedisManager(f"redis://:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{server.port}", write_only=True)
    manager.emit("hello", {"a": [1, None, "€"]}, room="user:bob")
    check("python-socketio's emitter", fresh.event() == ("hello", {"a": [1, None, "€"]}))
    manager.emit("pair", ("x", b"\x01\x02"), room="user:bob")
    text, attachment = fresh.message(), fresh.message()
    check("with bytes", text == '451-["pair","x",{"_placeholder":true,"num":0}]' and attachment == b"\x01\x02",
          (text, attachment))
    # ["emitter", {type: 2, data: ["update", {id: 1}], nsp: "/"}, {rooms: ["user:bob"], flags: {}, except: []}]
    packed = bytes.fromhex(
        "93a7656d697474657283a47479706502a46461746192a675706461746581a2696401a36e7370a12f"
        "83a5726f6f6d7391a8757365723a626f62a5666c61677380a665786365707490")
    server.client.publish("socket.io#/#user:bob#", packed)
    check("the reference emitter", fresh.event() == ("update", {"id": 1}))
    check("counted", c.stats()["passed_total"] == 3, c.stats())
    # Every client is in the room of its own sid.
    sid = json.loads(fresh.connected[2:])["sid"]
    manager.emit("not for it", 1, room="user:bob", skip_sid=sid)
    manager.emit("nor this", 1, room="user:bob", skip_sid=["other", sid])
    manager.emit("for it", 1, room=sid)
    check("skip_sid, and to a sid", fresh.event() == ("for it", 1))
    excepted = packed.replace(b"\xa6except\x90", b"\xa6except\x91" + bytes([0xA0 | len(sid)]) + sid.encode())
    server.client.publish("socket.io#/#user:bob#", excepted)
    # What no client takes is missed by those it was addressed to.
    before = c.stats()["dropped_total"]
    manager.emit("too many", tuple(b"x" for _ in range(11)), room="user:bob")
    check("neither except nor more attachments than are taken pass in silence", fresh.event()[0] == "resync")
    check("counted as dropped", c.stats()["dropped_total"] == before + 1, c.stats())
    # Who comes back after such a message was told to it must pull, for it was not kept.
    back = Client(a, token=BOB, pid=fresh.pid, offset=fresh.offset)
    check("told to pull", back.event()[0] == "resync")

    # A Redis that forgot.
    server.client.flushall()
    name, _ = back.event()
    check("FLUSHALL is a resync", name == "resync", name)
    a.publish("goes on", to=["bob"])
    seen = back.event()
    check("and it goes on", seen == ("notification", "goes on"), seen)


def beginnings():
    """A server that has just begun tells those who come back what they missed, also when it has to wait for Redis."""
    write("clients.keys", f"{ANN} ann tasks/*\n{BOB} bob tasks/*\n")
    server = Redis()
    a = Node(server, emitters=())
    client = Client(a)
    client.event()
    client.lose()
    a.publish("missed")
    events = [{"type": "notification", "to": ["others"], "data": "x" * 100} for _ in range(1000)]
    for _ in range(4):
        requests.post(a.url + "/events", json={"events": events}, headers=HEADERS, timeout=60).raise_for_status()
    a.kill()
    b = Node(server, emitters=(), waits=False)
    back = client.back(b)
    seen = back.event()
    check("what was missed comes from a server that has just begun", seen == ("notification", "missed"), seen)
    check("it is the same client", back.pid == client.pid)
    back.lose()
    b.publish("missed, too")
    b.kill()
    server.kill()
    c = Node(server, emitters=(), waits=False)
    again = back.back(c, meanwhile=server.start)
    seen = again.event()
    check("a client waits until the server has read", seen == ("notification", "missed, too"), seen)


def held():
    """Stock clients that nobody can let in yet come again, whatever their transport."""
    write("clients.keys", f"{ANN} ann tasks/*\n")
    server = Redis()
    server.kill()
    node = Node(server, emitters=(), waits=False)
    came = queue.Queue()
    kinds = {"polling": ["polling"], "websocket": ["websocket"], "both": None}
    clients = []
    for name, transports in kinds.items():
        client = socketio.Client(reconnection_delay=0.1, reconnection_delay_max=0.5)
        client.on("ready", lambda *arguments, name=name: came.put(name))
        # As the reference client does, it waits for the answer as long as the connection is there.
        client.connect(node.url, auth={"token": ANN}, transports=transports, wait=False)
        clients.append(client)
    until("they lose their connections, and come again", lambda: node.stats()["sessions_total"] >= 6)
    server.start()
    seen = []
    try:
        while len(seen) < len(kinds):
            seen.append(came.get(timeout=60))
    except queue.Empty:
        pass
    check("all are let in", sorted(seen) == sorted(kinds), seen)
    for client in clients:
        client.disconnect()


def bounds():
    """While Redis is away, what waits for it is bounded for each user and address."""
    write("clients.keys", f"{ANN} ann tasks/*\n{BOB} bob tasks/*\n")
    server = Redis()
    a = Node(server, emitters=())
    ann, bob = Client(a), Client(a, token=BOB)
    for client in (ann, bob):
        client.event()
    server.kill()
    until("away", lambda: a.health().status_code == 503)
    names = [f"secret/{number:03}-{'x' * 200}" for number in range(256)]
    ann.emit("subscribe", ["tasks/1"], 1)
    refused = None
    for number in range(2, 40):
        ann.emit("subscribe", names, number)
    refused = ann.message()
    check("too many of one user", refused.startswith("43") and "too many subscriptions of this user" in refused, refused)
    # However many connections it has.
    other = Client(a)
    while other.event()[0] != "ready":
        pass
    other.emit("subscribe", names, 1)
    seen = other.message()
    check("of all its connections", "too many subscriptions of this user" in seen, seen)
    bob.emit("subscribe", ["tasks/2"], 1)
    bob.emit("nothing", [], 2)
    check("another user's wait", bob.message().startswith("432"))
    ann.socket.close()
    # What nobody waits for any more counts no more.
    end, seen = time.monotonic() + 30, ""
    while time.monotonic() < end:
        other.emit("subscribe", names, 2)
        other.emit("nothing", [], 3)
        seen = other.message()
        if seen.startswith("433"):
            break
        other.message()
    check("places that are left are free", seen.startswith("433"), seen)
    statuses = queue.Queue()

    def post(number):
        body = {"to": ["ann"], "data": "x" * 900_000, "id": f"big {number}"}
        try:
            answer = requests.post(a.url + "/notification", json=body, headers=HEADERS, timeout=60)
            statuses.put((answer.status_code, "Too many bodies" in answer.text))
        except requests.ConnectionError:
            # The answer may come before the body has gone, and end the connection.
            statuses.put((503, True))

    threads = [threading.Thread(target=post, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seen = [statuses.get() for _ in threads]
    check("bodies count until they are answered", seen.count((503, True)) >= 15 and seen.count((503, False)) >= 10, seen)
    server.start()
    seen = bob.message()
    check("acknowledged in the end", seen == '431[{"joined":["tasks/2"],"refused":[]}]', seen)
    check("and bodies are taken again", a.publish("x" * 900_000).status_code == 200)


def rooms():
    """What a client subscribed to while Redis was away is known to all when that is acknowledged."""
    write("clients.keys", f"{ANN} ann tasks/*\n{BOB} bob tasks/*\n")
    server = Redis()
    a, b = (Node(server, emitters=()) for _ in range(2))
    client = Client(a)
    client.event()
    server.kill()
    until("away", lambda: a.health().status_code == 503)
    client.emit("subscribe", ["tasks/7"], 1)
    # Behind it everything of this client has been read; what is not remembered is not acknowledged.
    client.emit("nothing", [], 2)
    check("not acknowledged yet", client.message().startswith("432"))
    server.start()
    seen = client.message()
    check("acknowledged then", seen == '431[{"joined":["tasks/7"],"refused":[]}]', seen)
    for node in (a, b):
        until("back", lambda: node.health().status_code == 200)
    a.publish("live", to={"rooms": ["tasks/7"]})
    check("it is in the room", client.event() == ("notification", "live"))
    client.lose()
    a.publish("missed", to={"rooms": ["tasks/7"]})
    same = client.back(a)
    check("the same server knows", same.event() == ("notification", "missed") and same.pid == client.pid)
    same.lose()
    a.kill()
    b.publish("missed again", to={"rooms": ["tasks/7"]})
    other = same.back(b)
    check("so does another", other.event() == ("notification", "missed again") and other.pid == client.pid)
    check("the sid stays, too", other.sid == client.sid)
    # One who comes back while Redis is away may have been elsewhere: it is told to pull, and keeps its rooms.
    server.kill()
    until("away again", lambda: b.health().status_code == 503)
    other.lose()
    unsure = other.back(b)
    check("not taken for the same", unsure.pid != client.pid and unsure.event()[0] == "resync")
    server.start()
    until("back again", lambda: b.health().status_code == 200)
    b.publish("live again", to={"rooms": ["tasks/7"]})
    while (seen := unsure.event())[0] == "resync":
        pass
    check("its rooms are kept", seen == ("notification", "live again"), seen)


def talkers():
    """One who subscribes without end takes neither memory nor others' rooms."""
    write("clients.keys", f"{ANN} ann tasks/*\n{BOB} bob tasks/*\n")
    server = Redis()
    a, b = (Node(server, emitters=()) for _ in range(2))
    bob, ann = Client(a, token=BOB), Client(a)
    bob.event()
    ann.emit("subscribe", [f"tasks/{number:03}-{'x' * 40}" for number in range(256)], 1)
    for _ in range(2):
        ann.message()

    def memory():
        with open(f"/proc/{a.process.pid}/status") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    calm = memory()
    frames = b""
    for name in ("unsubscribe", "subscribe"):
        text = ("42" + json.dumps([name, ["tasks/000-" + "x" * 40]])).encode()
        frames += bytes([0x81, 0x80 | len(text)]) + bytes(4) + text
    for _ in range(20):
        ann.socket.sock.sendall(frames * 500)
    bob.emit("subscribe", ["tasks/7"], 3)
    check("another is acknowledged", bob.message().startswith("433"))
    check("in bounded memory", memory() < calm + 40, (calm, memory()))
    bob.lose()
    a.kill()
    b.publish("missed", to={"rooms": ["tasks/7"]})
    back = bob.back(b, token=BOB)
    seen = back.event()
    check("its rooms are known elsewhere", back.pid == bob.pid and seen == ("notification", "missed"), seen)


run(main, beginnings, held, bounds, rooms, talkers)
