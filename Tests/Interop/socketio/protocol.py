"""What the protocol documents say a server does, checked with plain HTTP and WebSocket: protocol.py URL

The server pings each 300 ms, waits 200 ms for the pong and 1 s for a namespace, and echoes. Prints one line for each
check that does not hold, with exit status 1; else the number of checks.
"""
import json
import socket as tcp
import sys
import threading
import time

import requests
import websocket
from urllib.parse import urlsplit

url = sys.argv[1] + "/socket.io/"
ws_url = url.replace("http", "ws", 1)
POLL = url + "?EIO=4&transport=polling"
WS = ws_url + "?EIO=4&transport=websocket"
failures, count = [], 0


def check(name, condition, seen=None):
    global count
    count += 1
    if not condition:
        failures.append(f"{name}: {seen!r}")


def get(sid=None, query="", **options):
    return requests.get(POLL + (f"&sid={sid}" if sid else "") + query, timeout=60, **options)


def post(sid, body, **options):
    return requests.post(f"{POLL}&sid={sid}", data=body, timeout=60, **options)


def polling():
    return json.loads(get().text[1:])["sid"]


def connect(query="", target=WS):
    return websocket.create_connection(target + query, timeout=60)


def joined():
    socket = connect()
    socket.recv()
    socket.send("40")
    socket.recv()
    socket.recv()
    return socket


def closes(name, socket, within=None, code=None):
    """Whether the server ends the WebSocket, and how (RFC 6455 §7.4.1)."""
    start = time.monotonic()
    seen = None
    try:
        while True:
            opcode, data = socket.recv_data()
            if opcode == websocket.ABNF.OPCODE_CLOSE:
                seen = int.from_bytes(data[:2], "big")
                break
    except (websocket.WebSocketConnectionClosedException, ConnectionError):
        pass
    except websocket.WebSocketTimeoutException:
        check(name, False, "still open")
        return
    took = time.monotonic() - start
    check(name, within is None or took < within, took)
    check(f"{name}: the code", code is None or seen == code, seen)


def receive(socket):
    while True:
        data = socket.recv()
        if data == "2":
            socket.send("3")
        else:
            return data


def refused(name, target):
    try:
        connect("", target).close()
        check(name, False, "101")
    except websocket.WebSocketBadStatusException as error:
        check(name, error.status_code == 400, error.status_code)


def handshake():
    response = get()
    value = json.loads(response.text[1:])
    check("polling handshake", response.status_code == 200 and response.text[0] == "0", response.text)
    check("handshake members", set(value) == {"sid", "upgrades", "pingInterval", "pingTimeout", "maxPayload"}, value)
    check("handshake values", (value["upgrades"], value["pingInterval"], value["pingTimeout"], value["maxPayload"])
          == (["websocket"], 300, 200, 1000000), value)
    check("content type", response.headers["content-type"] == "text/plain; charset=UTF-8", response.headers)
    for query in ("?transport=polling", "?EIO=abc&transport=polling", "?EIO=4", "?EIO=4&transport=abc"):
        check("GET " + query, requests.get(url + query, timeout=60).status_code == 400)
    for method in ("post", "put"):
        check(method, requests.request(method, POLL, timeout=60).status_code == 400)
    unknown = get("unknown")
    check("unknown sid", unknown.status_code == 400 and unknown.json() == {"code": 1, "message": "Session ID unknown"},
          unknown.text)
    socket = connect()
    value = json.loads(socket.recv()[1:])
    check("websocket handshake", value["upgrades"] == [] and value["maxPayload"] == 1000000, value)
    socket.close()
    for query in ("?transport=websocket", "?EIO=abc&transport=websocket", "?EIO=4", "?EIO=4&transport=abc",
                  "?EIO=4&transport=websocket&sid=unknown"):
        refused("WS " + query, ws_url + query)


def polling_messages():
    # The echo is of Socket.IO: a session that is not joined is closed by a message that is no connect packet.
    sid = polling()
    response = post(sid, "40")
    check("post", response.status_code == 200 and response.text == "ok", response.text)
    text = get(sid).text
    check("connect and auth in one payload", text.startswith('40{"sid":') and text.endswith('\x1e42["auth",{}]'), text)
    post(sid, '42["message","€"]\x1e42["message",2]\x1e451-["message",{"_placeholder":true,"num":0}]\x1ebAQIDBA==')
    expected = '42["message-back","€"]\x1e42["message-back",2]\x1e' \
        '451-["message-back",{"_placeholder":true,"num":0}]\x1ebAQIDBA=='
    response = get(sid)
    response.encoding = "utf-8"
    check("payload with text and bytes", response.text == expected, response.text)
    post(sid, "1")
    for body, headers in (("abc", {}), ("4abc", {}), ("40", {"content-type": "application/octet-stream"}), ("", {})):
        sid = polling()
        start = time.monotonic()
        post(sid, body.encode(), headers=headers)
        after = get(sid)
        # What only Socket.IO cannot read ends the session in order: the next poll is told.
        check(f"invalid body {body!r}", (after.status_code == 400 or body == "4abc" and after.text == "1")
              and time.monotonic() - start < 0.1, after.text)
        check(f"invalid body {body!r} closes", get(sid).status_code == 400)
    sid = polling()
    check("413", post(sid, "4" * 1000001).status_code == 413)
    check("413 closes", get(sid).status_code == 400)
    sid = polling()
    results = {}
    first = threading.Thread(target=lambda: results.update(first=get(sid)))
    first.start()
    time.sleep(0.05)
    second = get(sid)
    first.join()
    check("overlapping polls", second.status_code == 400 and results["first"].text == "1", results["first"].text)
    check("overlapping polls close", get(sid).status_code == 400)


def websocket_messages():
    for data in ("abc", "4abc", "42{}", '42abc["message-with-ack",1]', '42["connect"]', "2", "5",
                 '451-["a",{"_placeholder":true,"num":1}]'):
        socket = joined()
        start = time.monotonic()
        socket.send(data)
        if data.startswith("451-"):
            socket.send_binary(b"\x01")
        # What was not read when the connection ends may take the last words with it.
        closes(f"invalid {data!r}", socket, 0.1, None if data.startswith("451-") else 1002)
    socket = connect()
    socket.recv()
    socket.send_binary(b"\x01\x02")
    closes("bytes that no packet announced", socket, 0.1, 1002)


def frames():
    """RFC 6455: what the frame decoder must refuse."""
    A = websocket.ABNF
    cases = {
        "reserved bit": A(1, 1, 0, 0, A.OPCODE_TEXT, 1, b"40"),
        "reserved opcode": A(1, 0, 0, 0, A.OPCODE_TEXT, 1, b"40"),
        "no mask": A(1, 0, 0, 0, A.OPCODE_TEXT, 0, b"40"),
        "continuation of nothing": A(1, 0, 0, 0, A.OPCODE_CONT, 1, b"40"),
        "fragmented ping": A(0, 0, 0, 0, A.OPCODE_PING, 1, b""),
        "not UTF-8": A(1, 0, 0, 0, A.OPCODE_TEXT, 1, b"4\xff"),
        "too long": A(1, 0, 0, 0, A.OPCODE_TEXT, 1, b"4" * 1000001),
    }
    for name, frame in cases.items():
        socket = connect()
        socket.recv()
        data = bytearray(frame.format())
        if name == "reserved opcode":
            data[0] = 0x83
        try:
            socket.sock.sendall(bytes(data))
        except (BrokenPipeError, ConnectionResetError):
            pass
        closes(name, socket, 0.5)
    socket = connect()
    socket.recv()
    socket.sock.sendall(A(0, 0, 0, 0, A.OPCODE_TEXT, 1, b"4").format())
    socket.sock.sendall(A(1, 0, 0, 0, A.OPCODE_PING, 1, b"hi").format())
    socket.sock.sendall(A(1, 0, 0, 0, A.OPCODE_CONT, 1, b"0").format())
    seen = [socket.recv_data(control_frame=True) for _ in range(3)]
    check("fragments with a ping between", seen[0] == (A.OPCODE_PONG, b"hi") and seen[1][1].startswith(b"40{"), seen)
    socket.close()


def heartbeat():
    sid = polling()
    for _ in range(3):
        start = time.monotonic()
        text = get(sid).text
        took = time.monotonic() - start
        check("polling ping", text == "2" and 0.25 < took < 0.4, (text, took))
        check("pong", post(sid, "3").status_code == 200)
    sid = polling()
    time.sleep(0.6)
    check("polling ping timeout", get(sid).status_code == 400)
    socket = connect()
    socket.recv()
    socket.send("40")
    receive(socket), receive(socket)
    for _ in range(3):
        start = time.monotonic()
        data = socket.recv()
        took = time.monotonic() - start
        check("websocket ping", data == "2" and took < 0.4, (data, took))
        socket.send("3")
    start = time.monotonic()
    closes("websocket ping timeout", socket)
    took = time.monotonic() - start
    check("ping timeout on time", 0.45 < took < 0.6, took)


def close():
    sid = polling()
    results = {}
    pending = threading.Thread(target=lambda: results.update(poll=get(sid)))
    pending.start()
    time.sleep(0.05)
    check("close post", post(sid, "1").status_code == 200)
    pending.join()
    check("close ends the poll with a noop", results["poll"].text == "6", results["poll"].text)
    check("closed", get(sid).status_code == 400)
    socket = connect()
    socket.recv()
    socket.send("1")
    closes("close packet", socket, 0.1, 1000)
    socket = connect()
    socket.recv()
    start = time.monotonic()
    def pongs():
        try:
            while True:
                if socket.recv() == "2":
                    socket.send("3")
        except Exception:
            pass
    pongs()
    took = time.monotonic() - start
    check("no namespace in time", 0.9 < took < 1.2, took)


def upgrade():
    sid = polling()
    results = {}
    socket = connect(f"&sid={sid}")
    pending = threading.Thread(target=lambda: results.update(poll=get(sid), at=time.monotonic()))
    pending.start()
    time.sleep(0.05)
    start = time.monotonic()
    socket.send("2probe")
    check("probe", socket.recv() == "3probe")
    pending.join()
    check("noop ends the poll at once", results["poll"].text == "6" and results["at"] - start < 0.1, results["poll"].text)
    text = get(sid).text
    check("noop ends the next poll", text == "6", text)
    socket.send("5")
    socket.send("40")
    check("messages after the upgrade", receive(socket).startswith("40{"))
    receive(socket)
    check("poll after the upgrade", get(sid).status_code == 400)
    second = connect(f"&sid={sid}")
    closes("second websocket", second, 0.1, 1002)
    socket.send('42["message","hello"]')
    check("the session goes on", receive(socket) == '42["message-back","hello"]')
    socket.close()
    sid = polling()
    socket = connect(f"&sid={sid}")
    socket.send("4hello")
    closes("no probe", socket, 0.1, 1002)
    check("polling goes on", post(sid, "40").status_code == 200)
    sid = polling()
    socket = connect(f"&sid={sid}")
    socket.sock.sendall(b"\xf1\x80\x00\x00\x00\x00")
    closes("an invalid frame during the upgrade", socket, 0.5)
    check("leaves polling as it was", post(sid, "40").status_code == 200)


def namespaces():
    for text, name, data in (("40", "", {}), ('40{"token":"123"}', "", {"token": "123"}), ("40/custom,", "/custom,", {}),
                             ('40/custom,{"token":"abc"}', "/custom,", {"token": "abc"})):
        socket = connect()
        socket.recv()
        socket.send(text)
        answer = receive(socket)
        check("connect " + text, answer.startswith("40" + name) and set(json.loads(answer[2 + len(name):])) == {"sid"},
              answer)
        check("auth " + text, receive(socket) == "42" + name + json.dumps(["auth", data], separators=(",", ":")))
        socket.close()
    socket = connect()
    socket.recv()
    socket.send("40/random")
    check("invalid namespace", receive(socket) == '44/random,{"message":"Invalid namespace"}')
    socket.close()
    socket = joined()
    socket.send("41")
    check("disconnected, still pinged", socket.recv() == "2")
    socket.close()
    socket = joined()
    socket.send("40/custom")
    receive(socket), receive(socket)
    socket.send("41/custom")
    socket.send('42["message","message to main namespace"]')
    check("main namespace goes on", receive(socket) == '42["message-back","message to main namespace"]')
    socket.close()


def messages():
    socket = joined()
    socket.send('42["message",1,"2",{"3":[true]}]')
    check("text", receive(socket) == '42["message-back",1,"2",{"3":[true]}]')
    two = '{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}'
    socket.send(f'452-["message",{two}]')
    socket.send_binary(b"\x01\x02\x03")
    socket.send_binary(b"\x04\x05\x06")
    seen = [receive(socket) for _ in range(3)]
    check("attachments", seen == [f'452-["message-back",{two}]', b"\x01\x02\x03", b"\x04\x05\x06"], seen)
    socket.send('42456["message-with-ack",1,"2",{"3":[false]}]')
    check("ack", receive(socket) == '43456[1,"2",{"3":[false]}]')
    socket.send(f'452-789["message-with-ack",{two}]')
    socket.send_binary(b"\x01\x02\x03")
    socket.send_binary(b"\x04\x05\x06")
    seen = [receive(socket) for _ in range(3)]
    check("binary ack", seen == [f"462-789[{two}]", b"\x01\x02\x03", b"\x04\x05\x06"], seen)
    socket.close()


def origins():
    for origin, status in (("https://evil.example", 403), ("https://app.example", 200), (sys.argv[1], 200)):
        response = get(headers={"origin": origin})
        check("origin " + origin, response.status_code == status, response.status_code)
        allowed = response.headers.get("access-control-allow-origin")
        check("allowed " + origin, allowed == (origin if status == 200 else None), allowed)
    try:
        websocket.create_connection(WS, origin="https://evil.example", timeout=60)
        check("websocket of another origin", False)
    except websocket.WebSocketBadStatusException as error:
        check("websocket of another origin", error.status_code == 403, error.status_code)
    response = requests.options(POLL, headers={"origin": "https://app.example", "access-control-request-method": "POST"},
                                timeout=60)
    check("preflight", response.status_code == 204 and "POST" in response.headers["access-control-allow-methods"])


def slow():
    """Requests that come too slowly, too long or not at all end; others do not wait."""
    host = urlsplit(sys.argv[1])
    sid = polling()
    beginnings = (b"", b"GET /socket.io/?EIO=4", b"GET / HTTP/1.1\r\nhost: a\r\n",
                  f"POST /socket.io/?EIO=4&transport=polling&sid={sid} HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n4"
                  .encode())
    connections = []
    for beginning in beginnings:
        connection = tcp.create_connection((host.hostname, host.port), timeout=5)
        connection.sendall(beginning)
        connections.append(connection)
    check("others are served", get().status_code == 200)
    start = time.monotonic()
    for beginning, connection in zip(beginnings, connections):
        try:
            while connection.recv(4096):
                pass
            ended = True
        except ConnectionResetError:
            ended = True
        except TimeoutError:
            ended = False
        check(f"half-open {beginning[:20]!r}", ended and time.monotonic() - start < 1.5, time.monotonic() - start)
    for name, head in (("long field", b"a: " + b"x" * 20000), ("many fields", b"\r\n".join(b"a: b" for _ in range(200))),
                       ("no HTTP", b"\x16\x03\x01")):
        connection = tcp.create_connection((host.hostname, host.port), timeout=5)
        data = b""
        try:
            connection.sendall((b"" if name == "no HTTP" else b"GET / HTTP/1.1\r\nhost: a\r\n") + head + b"\r\n\r\n")
            while True:
                part = connection.recv(4096)
                if not part:
                    break
                data += part
        except ConnectionResetError:
            pass
        check(name, b" 200 " not in data and b" 404 " not in data, data[:60])


def flood():
    """One address cannot take all places, and floods of small packets change nothing."""
    socket = joined()
    for _ in range(5000):
        socket.send("3")
    socket.send('42["message","after the flood"]')
    check("pongs", receive(socket) == '42["message-back","after the flood"]')
    for number in range(2000):
        socket.send('3999["nobody asked"]' if number % 10 else "3")
    socket.send('42["message","again"]')
    check("acknowledgements", receive(socket) == '42["message-back","again"]')
    polls = []
    # On one connection, for it must be quicker than the first of them give their places back.
    with requests.Session() as session:
        for _ in range(80):
            polls.append(session.get(POLL, timeout=60))
            socket.send("3")
        statuses = {poll.status_code for poll in polls}
        # 64 may be there: those that came first have asked for nothing for longest, and gave way.
        first = session.get(f"{POLL}&sid={json.loads(polls[0].text[1:])['sid']}", timeout=60)
    check("places of one address", statuses == {200} and (first.text == "1" or first.status_code == 400), (statuses, first.text))
    socket.send('42["message","still here"]')
    check("who was let in stays", receive(socket) == '42["message-back","still here"]')
    socket.close()


for group in (handshake, polling_messages, websocket_messages, frames, heartbeat, close, upgrade, namespaces, messages,
              origins, slow, flood):
    # A busy machine may miss a deadline once; what is wrong is wrong each time.
    before = len(failures)
    for attempt in range(6):
        del failures[before:]
        try:
            group()
        except Exception as error:
            failures.append(f"{group.__name__}: {type(error).__name__}: {error}")
        if len(failures) == before:
            break
if failures:
    print("\n".join(failures))
    sys.exit(1)
print(f"{count} checks")
