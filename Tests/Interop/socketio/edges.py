"""What happens at the edges of `atmos serve`: edges.py ATMOS FOLDER

Starts the servers itself, on free ports, with their files in FOLDER. Prints one line for each check that does not hold,
with exit status 1; else the number of checks.
"""
import base64
import hashlib
import hmac
import json
import os
import subprocess
import time

import requests
import websocket

from serving import ANN, BOB, PUBLISHER, Client, Serve, atmos, check, folder, run, write

SECRET = "0123456789abcdef0123456789abcdef"


def keys_taken_away():
    serve = Serve()
    long = "tasks/" + "x" * 300
    ann, bob = Client(serve, ANN, rooms=["tasks/1", "notes/1", "secret/1", long]), Client(serve, BOB)
    told = ann.event()[1]
    check("rooms that may be joined, and others", told == {
        "joined": ["tasks/1", "notes/1"], "refused": ["secret/1", long[:256] + "…"]}, told)
    bob.event()
    write("clients.keys", f"{ANN} ann notes/*\n")
    check("who has a key that is gone is told", bob.event()[0] == "expired")
    check("and disconnected", bob.message() == "41")
    # Each is looked at by itself, in no order.
    answer, end = None, time.monotonic() + 60
    while answer != [{"joined": [], "refused": ["tasks/2"]}] and time.monotonic() < end:
        ann.socket.send('420["subscribe",["tasks/2"]]')
        answer = json.loads(ann.message()[3:])
    check("fewer rooms", time.monotonic() < end, answer)
    serve.publish({"to": {"rooms": ["tasks/1"]}, "data": "secret"})
    serve.publish({"to": {"rooms": ["notes/1"]}, "data": "open"})
    check("what may not be heard any more is not", ann.event()[1]["data"] == "open")
    write("clients.keys", f"# {ANN} ann notes/*\n")
    check("the last key can be taken away", ann.event()[0] == "expired")
    warning = serve.warnings.get(timeout=60)
    check("which is told", "there is no key in it any more; nobody is let in" in warning, warning)
    check("and counts", Client(serve, ANN).connected.startswith("44"))
    write("clients.keys", f"{ANN} ann notes/*\n")
    ends = time.monotonic() + 60
    while not (again := Client(serve, ANN)).connected.startswith("40") and time.monotonic() < ends:
        pass
    check("until there are keys again", again.event()[0] == "ready")
    os.remove(f"{folder}/clients.keys")
    warning = serve.warnings.get(timeout=60)
    check("a file that is gone is told", "cannot be read any more; the old keys stay in use" in warning, warning)
    check("and changes nothing", Client(serve, ANN).event()[0] == "ready")


def full():
    serve = Serve("--limit", "1")
    first = Client(serve, ANN)
    first.event()
    try:
        serve.socket()
        check("a full server takes no WebSocket", False)
    except websocket.WebSocketBadStatusException as error:
        check("a full server says so to a WebSocket", error.status_code == 503, error.status_code)
        check("and when to try again", error.resp_headers.get("retry-after") == "5", error.resp_headers)
    answer = requests.get(serve.url + "/socket.io/?EIO=4&transport=polling", timeout=60)
    check("and to a poll", answer.status_code == 503 and answer.headers.get("retry-after") == "5", answer.text)


def new_clients():
    serve = Serve("--new-clients", "2")
    first = serve.socket()
    first.recv()
    waiting = [serve.socket() for _ in range(2)]
    opcode, data = first.recv_data()
    check("--new-clients: the one that has asked for nothing for longest gives way",
          opcode == 8 and data[:2] == (1013).to_bytes(2, "big"), (opcode, data))
    waiting[0].recv()
    waiting[0].send("40" + json.dumps({"token": ANN}))
    waiting[0].recv()
    Client(serve, ANN).event()
    # The other one brings no key, over polling as well: after ten seconds it does not count any more.
    check("closed in time", waiting[1].recv().startswith("0") and waiting[1].recv() == "")
    polls = [requests.get(serve.url + "/socket.io/?EIO=4&transport=polling", timeout=60) for _ in range(2)]
    check("two polls", [poll.status_code for poll in polls] == [200, 200])
    sid = json.loads(polls[0].text[1:])["sid"]
    closed = requests.get(serve.url + f"/socket.io/?EIO=4&transport=polling&sid={sid}", timeout=60)
    check("closed over polling", closed.text == "1", closed.text)
    sid = json.loads(polls[1].text[1:])["sid"]
    # This one never polls, so it cannot be told; the server keeps its word for it.
    again = Client(serve, ANN)
    check("who does not poll does not count for ever", again.event()[0] == "ready")


def tokens():
    write("secret", SECRET + "\n")
    serve = Serve("--publisher-token-key", f"hs256:{folder}/secret", publishers=False)

    def coded(part):
        return base64.urlsafe_b64encode(part).rstrip(b"=").decode()

    def signed(header, claims):
        text = coded(header.encode()) + "." + coded(json.dumps(claims).encode())
        return text + "." + coded(hmac.new(SECRET.encode(), text.encode(), hashlib.sha256).digest())

    def token(**claims):
        return signed('{"alg": "HS256", "typ": "JWT"}', {"exp": time.time() + 3600} | claims)

    def unsigned(header, claims):
        return ".".join(map(coded, (header, claims, bytes(32))))

    right = {"sub": "app", "scope": "publish", "exp": time.time() + 3600}
    body = {"to": ["ann"], "data": 1}
    for name, key, status in (("scope publish", token(sub="app", scope="read publish"), 200),
                              ("another scope", token(sub="app", scope="publishing"), 401),
                              ("no scope", token(sub="app"), 401),
                              ("nobody", token(sub="", scope="publish"), 401),
                              ("ended", token(sub="app", scope="publish", exp=1000), 401),
                              ("no end", signed('{"alg": "HS256"}', {"sub": "app", "scope": "publish"}), 401),
                              ("another algorithm", signed('{"alg": "HS512"}', right), 401),
                              ("nobody's signature, an empty array",
                               unsigned(b'{"alg":"HS256"}', b'{"sub":"app","scope":"publish","aud":[]}'), 401),
                              ("nobody's signature, a number that no 64 bits hold",
                               unsigned(b'{"alg":"HS256","n":9223372036854775808}', b"{}"), 401),
                              ("still there", signed('{"alg": "HS256"}', right), 200)):
        answer = serve.publish(body, key)
        check(name, answer.status_code == status, answer.text)


def open_files():
    os.chmod(f"{folder}/publishers.keys", 0o644)
    warning = Serve().warnings.get(timeout=60)
    check("keys that everybody can read", "publishers.keys: every user of this machine can read it" in warning, warning)
    os.chmod(f"{folder}/publishers.keys", 0o600)


def text():
    serve = Serve()
    socket = serve.socket()
    socket.recv()
    socket.send(b"4\xff", websocket.ABNF.OPCODE_TEXT)
    code, data = socket.recv_data(control_frame=True)
    check("text that is not UTF-8", code == websocket.ABNF.OPCODE_CLOSE and data == (1007).to_bytes(2, "big"), (code, data))


def options():
    for arguments, words in (
            (["--publishers", "x", "--clients", "y", "--audience", "z"], "--audience and --issuer need"),
            (["--publishers", "x", "--token-key", "es256:x"], "give --audience NAME, or --issuer NAME"),
            (["--publishers", "x", "--clients", "y", "--origin", "app.example"], "--origin app.example"),
            (["--publishers", "x", "--clients", "y", "--origin", "https://app.example/"], "--origin https"),
            (["--publishers", "x", "--clients", "y", "--window-bytes", "1"], "--window-bytes"),
            (["--publishers", "x", "--publisher-token-key", "hs256:x", "--clients", "y"], "exclude each other"),
            (["--clients", "y"], "say who may publish")):
        done = subprocess.run([atmos, "serve", *arguments], capture_output=True, text=True, timeout=60)
        check(words, done.returncode == 2 and words in done.stderr, (done.returncode, done.stderr))
    serve = Serve()
    port = serve.url.split(":")[-1]
    done = subprocess.run(
        [atmos, "serve", "--port", port, "--publishers", f"{folder}/publishers.keys", "--clients", f"{folder}/clients.keys"],
        capture_output=True, text=True, timeout=60)
    check("a taken port", f"cannot listen on 127.0.0.1:{port}: another program listens there" in done.stderr, done.stderr)


run(keys_taken_away, full, new_clients, tokens, open_files, text, options)
