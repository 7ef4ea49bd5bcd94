"""The notification server as publishers and stock clients see it: notifications.py URL PUBLISHER ANN BOB

The keys of ann and bob allow the rooms `tasks/*`. Prints one line for each check that does not hold, with exit status
1; else the number of checks.
"""
import json
import queue
import socket as tcp
import sys

import requests
import socketio
import websocket

url, publisher, ann, bob = sys.argv[1:5]
ws_url = url.replace("http", "ws", 1) + "/socket.io/?EIO=4&transport=websocket"
failures, count = [], 0


def check(name, condition, seen=None):
    global count
    count += 1
    if not condition:
        failures.append(f"{name}: {seen!r}")


def publish(path, body, key=publisher, **headers):
    return requests.post(url + path, json=body, headers={"authorization": f"Bearer {key}", **headers}, timeout=60)


class Client:
    """A stock client that keeps what it gets."""

    def __init__(self, token, transports, rooms=()):
        self.events = queue.Queue()
        self.client = socketio.Client(reconnection=False)
        self.client.on("*", lambda name, *arguments: self.events.put((name, arguments)))
        self.client.connect(url, auth={"token": token, "rooms": list(rooms)}, transports=transports, wait_timeout=60)
        self.offset = self.get("ready")[1]

    def get(self, name):
        seen, arguments = self.events.get(timeout=60)
        assert seen == name, (seen, arguments)
        return arguments

    def is_quiet(self):
        # What is addressed to this client now comes behind everything before.
        return self.events.empty()


class Raw:
    """A WebSocket that speaks Socket.IO as the reference client does, with recovery."""

    def __init__(self, token, small=False, **auth):
        sizes = [(tcp.SOL_SOCKET, tcp.SO_RCVBUF, 4096)] if small else []
        self.socket = websocket.create_connection(ws_url, timeout=60, sockopt=sizes)
        self.socket.recv()
        self.socket.send("40" + json.dumps({"token": token, **auth}))
        answer = self.next()
        self.connected = json.loads(answer[2:])

    def next(self):
        while True:
            data = self.socket.recv()
            if data == "2":
                self.socket.send("3")
            else:
                return data

    def event(self):
        data = self.next()
        assert data.startswith("42"), data
        return json.loads(data[2:])


def clients():
    for transports in (["polling"], ["websocket"], ["polling", "websocket"]):
        a, b = Client(ann, transports), Client(bob, transports)
        body = {"to": ["ann"], "uri": {"entity": "tasks", "id": "7"}, "attributes": {"title": "Ü"}, "version": 3}
        answer = publish("/update", body)
        data, offset = a.get("update")
        check("update", data == {"id": answer.json()["id"], "uri": body["uri"], "attributes": {"title": "Ü"}, "version": 3},
              data)
        check("offset", offset == answer.json()["offset"] and answer.json()["duplicate"] is False, answer.text)
        publish("/notification", {"to": {"users": ["ann", "bob"]}, "data": {"hello": [1]}})
        check("notification", a.get("notification")[0]["data"] == {"hello": [1]})
        check("only what is addressed", b.get("notification")[0]["data"] == {"hello": [1]} and b.is_quiet())
        a.client.disconnect()
        b.client.disconnect()


def idempotence():
    a = Client(ann, ["websocket"])
    body = {"to": ["ann"], "data": 1, "id": "once"}
    first, second = publish("/notification", body), publish("/notification", body)
    check("same offset", second.json()["duplicate"] is True and first.json()["offset"] == second.json()["offset"])
    third = publish("/notification", {"to": ["ann"], "data": 2}, **{"idempotency-key": "key-1"})
    again = publish("/notification", {"to": ["ann"], "data": 2}, **{"idempotency-key": "key-1"})
    check("the header counts as well", third.json()["id"] == "key-1" and again.json()["duplicate"] is True)
    both = publish("/notification", {**body, "id": "other"}, **{"idempotency-key": "key-1"})
    check("but not beside another id", both.status_code == 422 and "Idempotency-Key" in both.text, both.text)
    batch = publish("/events", {"events": [
        {"type": "notification", "to": ["ann"], "data": 3},
        {"type": "update", "to": ["ann"], "uri": {"entity": "t", "id": "1"}, "deleted": True}]})
    check("batch", len(batch.json()["events"]) == 2, batch.text)
    seen = [a.get("notification")[0]["data"] for _ in range(3)]
    check("each once and in order", seen == [1, 2, 3] and a.get("update")[0]["deleted"] is True, seen)
    a.client.disconnect()


def refusals():
    good = {"to": ["ann"], "data": 1}
    for name, response, status in (
        ("no key", requests.post(url + "/notification", json=good, timeout=60), 401),
        ("wrong key", publish("/notification", good, key="0123456789abcdefg"), 401),
        ("a client's key", publish("/notification", good, key=ann), 401),
        ("method", requests.get(url + "/update", timeout=60), 405),
        ("path", requests.get(url + "/nothing", timeout=60), 404),
        ("type", requests.post(url + "/update", data="x", headers={"authorization": "Bearer " + publisher}, timeout=60), 415),
        ("no JSON", requests.post(url + "/update", data="{", headers={
            "authorization": "Bearer " + publisher, "content-type": "application/json"}, timeout=60), 400),
        ("nobody", publish("/notification", {"to": [], "data": 1}), 422),
        ("no data", publish("/notification", {"to": ["ann"]}), 422),
        ("no uri", publish("/update", {"to": ["ann"]}), 422),
        ("two kinds", publish("/update", {"to": ["ann"], "uri": {"entity": "t", "id": "1"}, "attributes": {}, "deleted": True}), 422),
        ("patch of no version", publish("/update", {"to": ["ann"], "uri": {"entity": "t", "id": "1"}, "patch": {}}), 422),
        ("broken edit", publish("/update", {"to": ["ann"], "uri": {"entity": "t", "id": "1"}, "version": 1,
                                            "edits": {"text": [{"at": -1}]}}), 422),
        ("one bad of a batch", publish("/events", {"events": [{"type": "notification", **good}, {"type": "x"}]}), 422),
        ("metrics without a key", requests.get(url + "/metrics", timeout=60), 401),
        ("misspelled", publish("/update", {"to": ["ann"], "uri": {"entity": "t", "id": "1"}, "atributes": {}}), 422),
        ("misspelled inside", publish("/update", {"to": ["ann"], "uri": {"entity": "t", "id": "1", "ID": "2"}}), 422),
        ("a member of the other kind", publish("/notification", {**good, "uri": {"entity": "t", "id": "1"}}), 422),
        ("a long key", publish("/notification", good, **{"idempotency-key": "k" * 201}), 422),
        ("a key for a batch", publish("/events", {"events": [{"type": "notification", **good}]}, **{"idempotency-key": "k"}), 422),
        ("too long", requests.post(url + "/update", data=b"x" * 1000001, timeout=60), 413),
    ):
        problem = response.json()
        check(name, response.status_code == status and problem["status"] == status and problem["detail"]
              and response.headers["content-type"] == "application/problem+json", response.text)
    for auth in ({}, {"token": "wrong"}, {"token": publisher}, {"token": 1}):
        socket = websocket.create_connection(ws_url, timeout=60)
        socket.recv()
        socket.send("40" + json.dumps(auth))
        answer = socket.recv()
        check(f"client {auth}", answer.startswith('44{"message":"Unauthorized"'), answer)
        socket.close()


def rooms():
    a, b = Client(ann, ["websocket"], ["tasks/1", "secret"]), Client(bob, ["websocket"])
    answer = b.client.call("subscribe", ["tasks/1", "secret", "tasks"], timeout=60)
    check("rooms by authorization", answer == {"joined": ["tasks/1"], "refused": ["secret", "tasks"]}, answer)
    publish("/notification", {"to": {"rooms": ["secret"]}, "data": "secret"})
    publish("/notification", {"to": {"rooms": ["tasks/1"], "users": ["ann"]}, "data": "open"})
    check("room", b.get("notification")[0]["data"] == "open")
    check("once, though addressed twice", a.get("notification")[0]["data"] == "open")
    b.client.call("unsubscribe", ["tasks/1"], timeout=60)
    publish("/notification", {"to": {"rooms": ["tasks/1"]}, "data": "left"})
    publish("/notification", {"to": ["ann", "bob"], "data": "last"})
    check("left", b.get("notification")[0]["data"] == "last")
    check("stayed", [a.get("notification")[0]["data"] for _ in range(2)] == ["left", "last"])
    a.client.disconnect()
    b.client.disconnect()


def recovery():
    a = Raw(ann)
    pid = a.connected["pid"]
    name, _, offset = a.event()
    check("ready", name == "ready", name)
    a.socket.send('42["subscribe",["tasks/9"]]')
    publish("/notification", {"to": ["ann"], "data": "before"})
    _, _, offset = a.event()
    # The server does not see that this connection is dead.
    for number in range(3):
        publish("/notification", {"to": ["ann"] if number != 1 else {"rooms": ["tasks/9"]}, "data": number})
    publish("/notification", {"to": ["bob"], "data": "not hers"})
    again = Raw(ann, pid=pid, offset=offset)
    check("same pid", again.connected["pid"] == pid)
    check("same sid, as the reference server has it", again.connected["sid"] == a.connected["sid"])
    seen = [again.event()[1]["data"] for _ in range(3)]
    check("what was missed comes once and in order", seen == [0, 1, 2], seen)
    publish("/notification", {"to": ["ann"], "data": "live"})
    check("then live", again.event()[1]["data"] == "live")
    closed = []
    while not closed or closed[-1]:
        closed.append(a.socket.recv())
    check("the old connection is closed", all("live" not in message for message in closed), closed)
    # The answer to the one before may have been lost, too; and once more, over polling.
    twice = Raw(ann, pid=pid, offset=offset)
    seen = [twice.event()[1]["data"] for _ in range(4)]
    check("asked again, the same comes again", twice.connected["pid"] == pid and seen == [0, 1, 2, "live"], seen)
    seen, polled = polling(pid, offset)
    check("over polling as well", polled == pid and seen == [0, 1, 2, "live"], seen)
    alone = Raw(ann, offset=offset, rooms=["tasks/9"])
    seen = [alone.event()[1]["data"] for _ in range(4)]
    check("an offset alone is enough for what is addressed to the user", seen == [0, 1, 2, "live"], seen)
    alone.socket.close()
    for auth in ({"pid": pid, "offset": "otherepoch-5"}, {"pid": "unknown", "offset": offset}, {"pid": pid, "offset": "x"}):
        lost = Raw(ann, **auth)
        name, _, latest = lost.event()
        check(f"a gap is told {auth}", name == "resync", name)
        if auth["pid"] == "unknown":
            # Its rooms are not known any more; what was addressed to the user comes all the same.
            check("at the old place", latest == offset)
            seen = [lost.event()[1]["data"] for _ in range(3)]
            check("and what was missed", seen == [0, 2, "live"], seen)
        else:
            check("at another place", latest != offset)
        lost.socket.close()
    stolen = Raw(bob, pid=pid, offset=offset)
    check("another user's pid recovers nothing", stolen.connected["pid"] != pid and stolen.event()[0] == "resync")
    check("nor the sid", stolen.connected["sid"] != a.connected["sid"])
    stolen.socket.close()


def polling(pid, offset):
    """What a client gets that comes back over polling, and its pid."""
    base = url + "/socket.io/?EIO=4&transport=polling"
    sid = json.loads(requests.get(base, timeout=60).text[1:])["sid"]
    requests.post(f"{base}&sid={sid}", "40" + json.dumps({"token": ann, "pid": pid, "offset": offset}), timeout=60)
    packets = []
    while sum(packet.startswith("42") for packet in packets) < 4:
        packets += requests.get(f"{base}&sid={sid}", timeout=60).text.split("\x1e")
    events = [json.loads(packet[2:])[1]["data"] for packet in packets if packet.startswith("42")]
    return events, json.loads(packets[0][2:])["pid"]


def sizes():
    """No publisher is told 200 for what clients would not take."""
    def body(length):
        head, tail = '{"to": ["ann"], "data": "', '"}'
        return (head + "x" * (length - len(head) - len(tail)) + tail).encode()

    def post(length):
        return requests.post(url + "/notification", body(length), timeout=60, headers={
            "authorization": "Bearer " + publisher, "content-type": "application/json"})
    for transports in (["polling"], ["websocket"], ["polling", "websocket"]):
        a = Client(ann, transports)
        for length in (999_999, 1_000_000):
            answer = post(length)
            check(f"a body of {length}", answer.status_code == 413 and "clients take at most 1000000" in answer.text, answer.text)
        answer = post(999_600)
        check("the longest that fits", answer.status_code == 200, answer.text)
        check("and it arrives", len(a.get("notification")[0]["data"]) > 999_500)
        a.client.disconnect()


def slow_client():
    """One who does not read costs a bounded buffer, and others nothing."""
    slow, quick = Raw(ann, small=True), Raw(bob)
    slow.event(), quick.event()
    text = "x" * 100000
    got = 0
    # Few and long: who does not read answers no ping either, and must not stay away for so long.
    for number in range(80):
        publish("/notification", {"to": ["ann", "bob"], "data": [number, text]})
        # The quick one keeps up; the slow one falls behind by what its buffers do not take.
        got += quick.event()[1]["data"][0] == number
    check("the other got all", got == 80, got)
    stats = requests.get(url + "/stats", headers={"authorization": "Bearer " + publisher}, timeout=60).json()
    names, is_there = [], False
    while not is_there:
        publish("/notification", {"to": ["ann"], "data": "after"})
        name, data = slow.event()[:2]
        names.append(name)
        is_there = data.get("data") == "after"
    check("the slow one is told to pull", "resync" in names and 0 < stats["dropped_total"] < 80, (names[-1], stats))
    check("and goes on", names.count("notification") < 80, len(names))
    slow.socket.close()
    quick.socket.close()


def watching():
    health = requests.get(url + "/healthz", timeout=60)
    check("healthz", health.status_code == 200 and health.json() == {"status": "ok", "broker": "memory"}, health.text)
    metrics = requests.get(url + "/metrics", headers={"authorization": "Bearer " + publisher}, timeout=60)
    check("metrics", "# TYPE atmosphere_published_total counter\natmosphere_published_total " in metrics.text)
    form = {"payload": json.dumps({"data": {"uri": {"collection": "tasks", "id": "1"}, "attrs": {"a": 1}}, "keys": ["ann"]})}
    a = Client(ann, ["websocket"])
    answer = requests.post(url + "/update", data=form, headers={"authorization": "Bearer " + publisher}, timeout=60)
    check("form", answer.status_code == 200 and answer.text == "200: update sent", answer.text)
    check("form's data", a.get("update")[0] == {"uri": {"collection": "tasks", "id": "1"}, "attrs": {"a": 1}})
    a.client.disconnect()


for group in (clients, idempotence, refusals, rooms, recovery, sizes, slow_client, watching):
    try:
        group()
    except Exception as error:
        failures.append(f"{group.__name__}: {type(error).__name__}: {error}")
if failures:
    print("\n".join(failures))
    sys.exit(1)
print(f"{count} checks")
