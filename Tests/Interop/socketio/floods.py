"""What one connection, or one address, may take of `atmos serve`: floods.py ATMOS FOLDER

Starts the servers itself, on free ports, with their files in FOLDER. Prints one line for each check that does not hold,
with exit status 1; else the number of checks.
"""
import asyncio
import base64
import http.client
import http.server
import json
import os
import queue
import random
import signal
import socket as tcp
import threading
import time

import requests
import socketio
import websocket

from serving import ANN, BOB, PUBLISHER, Client, Serve, check, run

ORIGIN = ("Host: a", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")


def dial(serve, buffer=None):
    host, port = serve.url.split("//")[1].split(":")
    connection = tcp.socket()
    if buffer:
        connection.setsockopt(tcp.SOL_SOCKET, tcp.SO_RCVBUF, buffer)
    connection.settimeout(60)
    connection.connect((host, int(port)))
    connection.setsockopt(tcp.IPPROTO_TCP, tcp.TCP_NODELAY, 1)
    return connection


def handshake(*fields, query="", key=None):
    key = key or base64.b64encode(os.urandom(16)).decode()
    target = f"/socket.io/?EIO=4&transport=websocket{query}"
    return "\r\n".join((f"GET {target} HTTP/1.1", *ORIGIN, f"Sec-WebSocket-Key: {key}", *fields, "", "")).encode()


def status(connection):
    """Of the next answer; 0 where the connection has ended."""
    data = b""
    try:
        while b"\r\n\r\n" not in data:
            more = connection.recv(4096)
            if not more:
                return 0, data
            data += more
    except OSError:
        return 0, data
    return int(data.split(b" ")[1]), data


def has_ended(connection):
    try:
        while connection.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def memory(serve):
    with open(f"/proc/{serve.process.pid}/status") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


def stats(serve, name):
    headers = {"authorization": f"Bearer {PUBLISHER}"}
    return requests.get(serve.url + "/stats", headers=headers, timeout=60).json()[name]


def holds(condition, seconds=60):
    """Whether it does in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def until(name, condition):
    check(name, holds(condition))


def frame(opcode, data):
    data = data if isinstance(data, bytes) else data.encode()
    return bytes([0x80 | opcode, 0x80 | len(data), 0, 0, 0, 0]) + data


def behind_at_upgrade():
    """Who falls behind while its transport is upgraded is told to pull, and gets what comes after."""
    serve = Serve()
    polling = requests.Session()
    url = serve.url + "/socket.io/?EIO=4&transport=polling"
    sid = json.loads(polling.get(url, timeout=60).text[1:])["sid"]
    polling.post(f"{url}&sid={sid}", "40" + json.dumps({"token": ANN}), timeout=60)
    seen = ""
    while "ready" not in seen:
        seen += polling.get(f"{url}&sid={sid}", timeout=60).text
    socket = websocket.create_connection(
        serve.url.replace("http", "ws", 1) + f"/socket.io/?EIO=4&transport=websocket&sid={sid}", timeout=60)
    socket.send("2probe")
    check("the probe is answered", socket.recv() == "3probe")
    for number in range(40):
        serve.publish({"to": ["ann"], "data": [number, "x" * 10000]})
    socket.send("5")
    names = []
    while "resync" not in names and len(names) < 45:
        data = socket.recv()
        if data.startswith("42"):
            names.append(json.loads(data[2:])[0])
    check("told to pull", names.count("resync") == 1 and len(names) < 40, names[-3:])
    serve.publish({"to": ["ann"], "data": "after"})
    data = socket.recv()
    check("and goes on", "after" in data, data[:80])


def pipelining():
    """Requests without end whose answers nobody reads end the connection, and cost nobody else anything."""
    serve = Serve()
    calm = memory(serve)
    connection, sent = dial(serve, 4096), 0
    connection.settimeout(3)
    try:
        while sent < 64 << 20:
            sent += connection.send(b"GET /x HTTP/1.1\r\nHost: a\r\n\r\n" * 2000)
    except OSError:
        pass
    check("pipelined without end", sent < 16 << 20, sent)
    # Each within what may be pipelined, but never read.
    connection, sent = dial(serve, 4096), 0
    connection.settimeout(3)
    try:
        while sent < 8 << 20:
            sent += connection.send(b"GET /x HTTP/1.1\r\nHost: a\r\n\r\n" * 30)
            time.sleep(0.0005)
    except OSError:
        pass
    check("answers that are not read", sent < 8 << 20, sent)
    check("memory", memory(serve) < calm + 48, (calm, memory(serve)))
    connection = dial(serve)
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" * 20)
    data = b""
    while data.count(b"HTTP/1.1 200") < 20:
        more = connection.recv(65536)
        if not more:
            break
        data += more
    check("some may be pipelined", data.count(b"HTTP/1.1 200") == 20, data.count(b"HTTP/1.1 200"))
    pings, client = dial(serve, 4096), Client(serve, ANN)
    client.event()
    pings.sendall(handshake())
    status(pings)
    pings.settimeout(3)
    try:
        for _ in range(200):
            pings.sendall(frame(9, b"x") * 5000)
    except OSError:
        pass
    serve.publish({"to": ["ann"], "data": 1})
    check("pings without end", client.event()[1]["data"] == 1 and memory(serve) < calm + 64, memory(serve))


def behind_a_flood():
    """The memory that a flood has taken is given back when the flood has gone."""
    serve = Serve()
    client = Client(serve, ANN)
    client.event()
    client.socket.close()
    calm = most = memory(serve)
    held = []
    while most < calm + 150 and len(held) < 250:
        connection = dial(serve)
        held.append(connection)
        connection.sendall(handshake())
        status(connection)
        try:
            # A frame without its end.
            connection.sendall(b"\x82\xff" + (1_000_000).to_bytes(8, "big") + bytes(4) + b"x" * 999_000)
        except OSError:
            pass
        most = max(most, memory(serve))
    check("a flood", most > calm + 40, (calm, most))
    for connection in held:
        connection.close()
    # The server looks every ten seconds, and twice before it asks for what is free.
    check("is given back", holds(lambda: memory(serve) < calm + 24, seconds=120), (calm, most, memory(serve)))
    check("clients get in behind it", Client(serve, ANN).event()[0] == "ready")


def handshakes():
    """No way past the number of clients that have not been let in, and none past RFC 6455."""
    serve = Serve("--new-clients", "8")
    late = [dial(serve) for _ in range(20)]
    for connection in late:
        connection.sendall(handshake("Content-Length: 1"))
    for connection in late:
        try:
            connection.sendall(b"x")
        except OSError:
            pass
    seen = [status(connection)[0] for connection in late]
    check("a handshake has no body", 101 not in seen, seen)
    for connection in late:
        connection.close()
    open_now = [dial(serve) for _ in range(12)]
    for connection in open_now:
        connection.sendall(handshake())
    seen = [status(connection)[0] for connection in open_now]
    ended = sum(has_ended(connection) for connection in open_now[:4])
    check("as many as may be, and the first give way", seen.count(101) == 12 and ended == 4, (seen, ended))
    for connection in open_now:
        connection.close()
    other = Serve()
    for name, fields, key, wanted in (
            ("a key of 16 bytes", (), "abc", 400), ("one in base64", (), "!" * 22 + "==", 400),
            ("a key", (), None, 101)):
        connection = dial(other)
        connection.sendall(handshake(*fields, key=key))
        seen = status(connection)[0]
        check(name, seen == wanted, seen)
    connection = dial(other)
    connection.sendall(handshake().replace(b"Version: 13", b"Version: 8"))
    seen, text = status(connection)
    check("another version", seen == 426 and b"sec-websocket-version: 13" in text.lower(), text)
    connection = dial(other)
    connection.sendall(b"GET /healthz HTTP/1.1\r\n\r\n")
    check("no Host", status(connection)[0] == 400)
    for name, payload, wanted in (
            ("a reserved code", b"\x03\xf7", 1002), ("one nobody has given out", b"\x07\xd0", 1002),
            ("a reason that is no text", b"\x03\xe8\xff", 1007), ("an end with a reason", b"\x03\xe8ok", 1000)):
        connection = dial(other)
        connection.sendall(handshake())
        status(connection)
        connection.sendall(frame(8, payload))
        data = b""
        try:
            while True:
                more = connection.recv(4096)
                if not more:
                    break
                data += more
        except OSError:
            pass
        code = int.from_bytes(data[-2:], "big")
        check(name, data[-4:-2] == b"\x88\x02" and code == wanted, data[-8:])


def connections():
    """Connections that show no key are bounded by address, and so is what they hold; those with one are not."""
    serve = Serve("--new-clients", "8")
    known = requests.Session()
    body = {"to": ["ann"], "data": 1}
    headers = {"authorization": f"Bearer {PUBLISHER}"}
    check("a publisher", known.post(serve.url + "/notification", json=body, headers=headers, timeout=60).ok)
    calm = memory(serve)
    idle = [dial(serve) for _ in range(200)]
    # Those that may stay are ended only when they have said nothing for long.
    ended, end = set(), time.monotonic() + 10
    while len(ended) < 115 and time.monotonic() < end:
        for connection in idle:
            connection.settimeout(0.001)
            try:
                if connection not in ended and connection.recv(1) == b"":
                    ended.add(connection)
            except TimeoutError:
                pass
            except OSError:
                ended.add(connection)
    check("connections of one address", 115 <= len(ended) <= 125, len(ended))
    check("those that came first", all(connection in ended for connection in idle[:115]))
    check("a client of that address gets in", Client(serve, ANN).event()[0] == "ready")
    sessions = [serve.socket() for _ in range(20)]
    check("and past sessions that ask for nothing", Client(serve, BOB).event()[0] == "ready")
    check("and over polling", requests.get(
        serve.url + "/socket.io/?EIO=4&transport=polling", timeout=60).text.startswith("0{"))
    for socket in sessions:
        socket.close()
    check("who has shown a key goes on",
          known.post(serve.url + "/notification", json=body, headers=headers, timeout=60).ok)
    for connection in idle:
        connection.close()
    wide = Serve("--new-clients", "256")
    calm = memory(wide)
    held, refused = [dial(wide) for _ in range(40)], 0
    for connection in held:
        connection.settimeout(0.2)
        try:
            connection.sendall(b"POST /update HTTP/1.1\r\nHost: a\r\nContent-Length: 999999\r\n\r\n" + b"x" * 999_000)
        except OSError:
            pass
    waiting, end = list(held), time.monotonic() + 10
    while refused <= 10 and time.monotonic() < end:
        for connection in list(waiting):
            connection.settimeout(0.01)
            try:
                refused += b" 503 " in connection.recv(4096)
            except TimeoutError:
                continue
            except OSError:
                pass
            waiting.remove(connection)
    check("bodies of one address", refused > 10 and memory(wide) < calm + 80, (refused, calm, memory(wide)))
    for connection in held:
        connection.close()
    connection = dial(wide)
    length = len(json.dumps(body))
    connection.sendall(
        f"POST /notification HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {PUBLISHER}\r\nExpect: 100-continue\r\n"
        f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n".encode())
    check("Expect: 100-continue", status(connection)[0] == 100)
    connection.sendall(json.dumps(body).encode())
    seen, text = status(connection)
    check("and the rest", seen == 200, text)


def drain():
    """A request that is on its way when SIGTERM comes is answered."""
    serve = Serve("--grace", "20")
    client = Client(serve, ANN)
    client.event()
    idle = dial(serve)
    idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    status(idle)
    body = json.dumps({"to": ["ann"], "data": 1}).encode()
    connection = dial(serve)
    connection.sendall(
        f"POST /notification HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {PUBLISHER}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body[:5])
    # What has come is read before the signal is.
    requests.get(serve.url + "/healthz", timeout=60)
    serve.process.send_signal(signal.SIGTERM)
    check("who waits for nothing is let go", has_ended(idle))
    check("clients are let go", client.socket.recv() == "")
    connection.sendall(body[5:])
    seen, text = status(connection)
    check("what was on its way is answered", seen == 200, text)
    check("and then it ends", serve.process.wait(timeout=15) == 0)


def order():
    """One who reads in spurts gets everything in its order, or is told that something is missing."""
    serve = Serve()
    client = Client(serve, ANN)
    client.event()
    client.socket.sock.setsockopt(tcp.SOL_SOCKET, tcp.SO_RCVBUF, 65536)
    generator = random.Random(7)
    sizes = [generator.choice([1, 100, 1000, 20000, 70000]) for _ in range(400)]
    seen = []

    def read():
        while not seen or seen[-1] != "end":
            name, data = client.event()[:2]
            if name == "resync":
                seen.append("resync")
            elif data["data"] == "end":
                seen.append("end")
            else:
                number, text = data["data"]
                seen.append(number if text == "y" * sizes[number] else "damaged")
            if generator.random() < 0.05:
                time.sleep(generator.random() / 20)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    connection = http.client.HTTPConnection(serve.url.split("//")[1])
    headers = {"authorization": f"Bearer {PUBLISHER}", "content-type": "application/json"}

    def publish(data):
        connection.request("POST", "/notification", json.dumps({"to": ["ann"], "data": data}), headers)
        connection.getresponse().read()

    for number, size in enumerate(sizes):
        publish([number, "y" * size])
    while reader.is_alive():
        publish("end")
        reader.join(0.1)
    numbers = [each for each in seen if isinstance(each, int)]
    check("in order, each once", numbers == sorted(set(numbers)) and "damaged" not in seen, seen[-3:])
    last, is_told, holes = -1, False, []
    for each in seen[:-1]:
        if each == "resync":
            is_told = True
        else:
            if each != last + 1 and not is_told:
                holes.append(each)
            last, is_told = each, False
    check("no hole without a resync", not holes, holes)


def returning():
    """Stock clients of every kind come back when a server is ended and another one begun."""
    serve = Serve()
    port = serve.url.rsplit(":", 1)[1]
    came = queue.Queue()
    options = {"reconnection_delay": 0.1, "reconnection_delay_max": 0.5}
    names = ["polling", "websocket", "asynchronous polling", "both"]
    clients = []
    for name, transports in (("polling", ["polling"]), ("websocket", ["websocket"]), ("both", None)):
        client = socketio.Client(**options)
        client.on("ready", lambda *arguments, name=name: came.put(name))
        client.connect(serve.url, auth={"token": ANN}, transports=transports, wait_timeout=60)
        clients.append(client)

    async def asynchronous():
        client = socketio.AsyncClient(**options)
        client.on("ready", lambda *arguments: came.put("asynchronous polling"))
        await client.connect(serve.url, auth={"token": ANN}, transports=["polling"], wait_timeout=60)
        await client.wait()

    threading.Thread(target=lambda: asyncio.run(asynchronous()), daemon=True).start()
    seen = sorted(came.get(timeout=60) for _ in names)
    check("all are there", seen == sorted(names), seen)
    serve.process.send_signal(signal.SIGTERM)
    check("it ends", serve.process.wait(timeout=30) == 0)
    Serve("--port", port)
    seen = []
    try:
        while len(seen) < len(names):
            seen.append(came.get(timeout=30))
    except queue.Empty:
        pass
    check("all are back", sorted(seen) == sorted(names), seen)
    for client in clients:
        client.disconnect()


def gate():
    """Those who come and go at once, without a key, keep nobody out, and the service is not asked for them."""
    asked, release = [], threading.Event()

    class Service(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            token = json.loads(self.rfile.read(int(self.headers["content-length"])))["token"]
            asked.append(token)
            release.wait(60)
            body = json.dumps({"user": "ann"}).encode() if token == ANN else b"{}"
            self.send_response(200 if token == ANN else 401)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                pass

        def log_message(self, *arguments):
            pass

    service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    serve = Serve("--client-callback", f"http://127.0.0.1:{service.server_port}/who", clients=False)
    count = 1500
    for _ in range(count):
        connection = dial(serve)
        connection.sendall(handshake() + frame(1, '40{"token":"wrong-wrong-wrong"}'))
        status(connection)
        connection.close()
    # The service is silent meanwhile, and its places are taken by the first of them.
    until("they are gone", lambda: stats(serve, "clients") == 0)
    release.set()
    client = Client(serve, ANN)
    check("let in", client.connected.startswith("40"), client.connected)
    check("those who have gone are not asked for", len(asked) < count / 2, len(asked))


class Crowd:
    """A user whose two places are taken, and others of it who ask for one."""

    def __init__(self, waiting):
        # Who waits for a place has shown its key: it takes none of the two of its address.
        self.serve = Serve("--user-clients", "2", "--new-clients", "2")
        self.clients = [Client(self.serve, ANN) for _ in range(2)]
        self.held = []
        for number in range(1, waiting + 1):
            self.held.append(self.ask())
            # Each is there for ten seconds only.
            holds(lambda: self.waiting() >= number, seconds=10)

    def ask(self):
        socket = self.serve.socket()
        socket.recv()
        socket.send("40" + json.dumps({"token": ANN}))
        return socket

    def waiting(self):
        return stats(self.serve, "clients_waiting")

    def leave(self):
        for socket in (*self.held, *(client.socket for client in self.clients)):
            socket.close()


def places():
    """One user has so many places; more wait for them, those beyond lose their connection, and others have theirs."""
    seen = []

    def beyond():
        crowd = Crowd(waiting=2)
        other = Client(crowd.serve, BOB).connected
        start = time.monotonic()
        opcode, data = crowd.ask().recv_data()
        took = time.monotonic() - start
        seen.append((other, opcode, data, took))
        crowd.leave()
        return (other.startswith("40") and opcode == 8 and data[:2] == (1013).to_bytes(2, "big")
                and b"the places of this user (2) are taken" in data and took > 3.9)

    def turn():
        crowd = Crowd(waiting=2)
        crowd.clients[0].socket.close()
        seen.append((crowd.held[0].recv(), crowd.waiting()))
        crowd.leave()
        return seen[-1][0].startswith("40") and seen[-1][1] < 2

    def does(part):
        try:
            return part()
        except (OSError, websocket.WebSocketException) as error:
            seen.append(error)
            return False

    # Where the machine is slow those who wait may have lost their connection before it comes to that.
    check("others are let in, and who is too many loses its connection, not at once",
          holds(lambda: does(beyond)), seen[-3:])
    check("the first who waits gets the place, and waits no more", holds(lambda: does(turn)), seen[-3:])
    # Stock clients that find no place come again until there is one.
    crowd = Crowd(waiting=1)
    came = queue.Queue()
    stock = socketio.Client(reconnection_delay=0.1, reconnection_delay_max=0.5)
    stock.on("ready", lambda *arguments: came.put("ready"))
    sessions = stats(crowd.serve, "sessions_total")
    # It waits before it loses its connection: before `connect` has returned this client would not notice.
    stock.connect(crowd.serve.url, auth={"token": ANN}, transports=["websocket"], wait=False)
    until("a stock client comes again", lambda: stats(crowd.serve, "sessions_total") >= sessions + 2)
    crowd.leave()
    check("and is let in", came.get(timeout=60) == "ready")
    stock.disconnect()


def many():
    """One event for very many clients leaves others their turn, reaches each of them once, and keeps the order."""
    serve = Serve("--user-clients", "5000")
    clients = [Client(serve, ANN, rooms=["tasks/1"]) for _ in range(1500)]
    for client in clients:
        client.event()
    for number in range(4):
        # To all by two ways, and to one that is among them.
        serve.publish({"to": {"users": ["ann"], "rooms": ["tasks/1"]} if number % 2 else ["ann"], "data": number})
    clients[0].socket.close()
    serve.publish({"to": ["ann"], "data": "end"})
    wrong = []
    for client in clients[1:]:
        seen = [client.event()[1].get("data") for _ in range(5)]
        if seen != [0, 1, 2, 3, "end"]:
            wrong.append(seen)
    check("each gets each once, in order", not wrong, wrong[:3])


def warnings():
    """Who listens on the network without TLS is told so."""
    # Of a network for documentation (RFC 5737), so that nobody listens there.
    serve = Serve("--host", "192.0.2.1")
    check("in the clear", "in the clear" in serve.warnings.get(timeout=60))
    local = Serve()
    local.process.send_signal(signal.SIGTERM)
    check("ends", local.process.wait(timeout=30) == 0)
    check("not on this machine", local.warnings.empty())


def batch():
    """One batch for many clients keeps nobody else waiting, and all of them get all of it in its order."""
    serve = Serve()
    clients = [Client(serve, ANN) for _ in range(60)]
    for client in clients:
        client.event()
    events = [{"type": "notification", "to": ["ann"], "data": [number, "x" * 100]} for number in range(1000)]
    between, everything = set(), len(clients) * len(events)

    def watch():
        session, delivered = requests.Session(), 0
        while delivered < everything:
            delivered = session.get(serve.url + "/stats", timeout=60,
                                    headers={"authorization": f"Bearer {PUBLISHER}"}).json()["delivered_total"]
            if 0 < delivered < everything:
                between.add(delivered)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    start = time.monotonic()
    answer = requests.post(serve.url + "/events", json={"events": events}, timeout=60,
                           headers={"authorization": f"Bearer {PUBLISHER}"})
    took = time.monotonic() - start
    told = requests.get(serve.url + "/stats", timeout=60,
                        headers={"authorization": f"Bearer {PUBLISHER}"}).json()["delivered_total"]
    check("taken", answer.status_code == 200, answer.status_code)
    # For a second at most, which may not be much on a busy machine.
    check("the publisher is kept to the clients' pace", told > everything / 10 or took > 0.9, (told, took))
    for client in clients:
        seen = [client.event()[1].get("data", [None])[0] for _ in events]
        check("all of it, in order", seen == list(range(1000)), seen[:5])
    watcher.join(60)
    check("others are answered meanwhile", len(between) >= 5, sorted(between))


run(behind_at_upgrade, pipelining, behind_a_flood, handshakes, connections, drain, order, batch, returning, gate, places,
    many, warnings)
