"""Peers that mean harm, or have gone without a word, against an echo server: abuse.py URL

A request must arrive within a second, and a pong within five after a ping each 300 ms. Prints one line for each check
that does not hold, with exit status 1; else the number of checks. Takes seven seconds or so.
"""
import json
import os
import socket as tcp
import struct
import sys
import threading
import time
from urllib.parse import urlsplit

import websocket

host = urlsplit(sys.argv[1])
WS = sys.argv[1].replace("http", "ws", 1) + "/socket.io/?EIO=4&transport=websocket"
failures, count, lock = [], 0, threading.Lock()


def check(name, condition, seen=None):
    global count
    with lock:
        count += 1
        if not condition:
            failures.append(f"{name}: {seen!r}")


def dial():
    connection = tcp.create_connection((host.hostname, host.port), timeout=60)
    connection.setsockopt(tcp.IPPROTO_TCP, tcp.TCP_NODELAY, 1)
    return connection


def trickle(name, connection, data, limit, pause=0.02, status=None):
    """Sends a byte now and then, and expects to be shown the door, with a status where one is due."""
    start, told = time.monotonic(), b""
    connection.settimeout(pause)
    for index in range(int(limit / pause) + 1):
        try:
            connection.sendall(data[index % len(data):][:1])
            while more := connection.recv(65536):
                told += more
            break
        except TimeoutError:
            continue
        except OSError:
            break
    else:
        return check(name, False, time.monotonic() - start)
    check(name, status is None or told.startswith(b"HTTP/1.1 %d " % status), told[:200])


def announced(name, target, length, *fields):
    """A body that is announced to be too long is refused before it comes."""
    connection, start = dial(), time.monotonic()
    connection.sendall("\r\n".join((
        f"POST {target} HTTP/1.1", "host: a", f"content-length: {length}", *fields, "", "")).encode())
    told = connection.recv(65536)
    connection.close()
    check(name, told.startswith(b"HTTP/1.1 413 ") and time.monotonic() - start < 0.9, told[:200])


def announced_bodies():
    for length in (10_000_000_000, 1_000_001, 9223372036854775807):
        announced(f"a body of {length} bytes", "/update", length)
        announced(f"a body of {length} bytes that asks first", "/update", length, "expect: 100-continue")
    connection = dial()
    connection.sendall(b"GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nhost: a\r\n\r\n")
    sid = connection.recv(65536).split(b'"sid":"')[1].split(b'"')[0].decode()
    announced("a payload", f"/socket.io/?EIO=4&transport=polling&sid={sid}", 10_000_000_000, "expect: 100-continue")
    # What is sent all the same does not cost the answer.
    connection = dial()
    connection.sendall(b"POST /update HTTP/1.1\r\nhost: a\r\ncontent-length: 10000000000\r\n\r\n" + b"x" * 2_000_000)
    told = b""
    while b"\r\n\r\n" not in told and (more := connection.recv(65536)):
        told += more
    check("a body that comes all the same", told.startswith(b"HTTP/1.1 413 "), told[:200])


def silent_http():
    connection = dial()
    connection.settimeout(20)
    check("who sends nothing is told nothing", connection.recv(65536) == b"")


def ends(name, connection, limit, code=None):
    """Whether the server ends the connection, and what its close frame says (RFC 6455 §7.4.1)."""
    start = time.monotonic()
    connection.settimeout(limit)
    data = b""
    try:
        while more := connection.recv(65536):
            data += more
    except TimeoutError:
        return check(name, False, time.monotonic() - start)
    except OSError:
        pass
    check(name, code is None or b"\x88\x02" + code.to_bytes(2, "big") in data, data[-20:])


def upgraded():
    """A bare connection that has become a WebSocket and joined."""
    connection = dial()
    connection.sendall(
        b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    data = b""
    while b"0{" not in data:
        data += connection.recv(4096)
    connection.sendall(b"\x81\x82\0\0\0\x0040")
    while b"40{" not in data:
        data += connection.recv(4096)
    return connection


class Good:
    """A client that behaves, and measures how long its messages take."""

    def __init__(self):
        self.socket = websocket.create_connection(WS, timeout=60)
        self.socket.recv()
        self.socket.send("40")
        self.next(), self.next()

    def next(self):
        while True:
            data = self.socket.recv()
            if data != "2":
                return data
            self.socket.send("3")

    def echo(self, times):
        worst = 0
        for number in range(times):
            start = time.monotonic()
            self.socket.send(f'42["message",{number}]')
            answer = self.next()
            worst = max(worst, time.monotonic() - start)
            check("echo", answer == f'42["message-back",{number}]', answer)
        return worst


def slow_header():
    trickle("header by the byte", dial(), b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"a" * 5000, 20, status=408)


def slow_body():
    connection = dial()
    connection.sendall(b"POST /update HTTP/1.1\r\nhost: a\r\ncontent-length: 90000\r\n\r\n")
    trickle("body by the byte", connection, b"x" * 90000, 20, status=408)


def slow_chunks():
    connection = dial()
    connection.sendall(b"POST /update HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n")
    trickle("chunks by the byte", connection, b"1\r\nx\r\n" * 9000, 20, status=408)


def slow_frame():
    connection = upgraded()
    connection.sendall(b"\x81\xff" + struct.pack(">Q", 900_000) + b"\0\0\0\0")
    trickle("frame by the byte, without pongs", connection, b"x" * 9000, 40)


def silent():
    ends("a peer that answers nothing", upgraded(), 40)


def half_closed():
    connection = upgraded()
    connection.shutdown(tcp.SHUT_WR)
    ends("a half-closed connection", connection, 40)


def endless_frame():
    connection = upgraded()
    connection.sendall(b"\x82\xff" + struct.pack(">Q", 1 << 62) + b"\0\0\0\0" + b"x" * 1000)
    ends("a frame without end", connection, 40, 1009)


def endless_fragments():
    connection = upgraded()
    try:
        connection.sendall(b"\x01\x81\0\0\0\x004" + b"\x00\x81\0\0\0\0x" * 5000)
    except OSError:
        pass
    ends("fragments without end", connection, 40, 1009)


def endless_body():
    connection = dial()
    connection.sendall(b"POST /update HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n")
    sent = 0
    try:
        while sent < 64 << 20:
            connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
            sent += 65536
    except OSError:
        pass
    check("a body without end", sent < 32 << 20, sent)


def no_reader():
    """Asks for much and reads nothing: what waits is bounded, and then nothing more is read from it."""
    connection = upgraded()
    connection.settimeout(0.5)
    message = b'42["message","' + b"x" * 60000 + b'"]'
    frame = b"\x81\xfe" + struct.pack(">H", len(message)) + b"\0\0\0\0" + message
    sent = 0
    try:
        while sent < 256 << 20:
            sent += connection.send(frame)
    except OSError:
        pass
    check("who reads nothing cannot ask for ever", sent < 64 << 20, sent)
    connection.close()


def damaged():
    for _ in range(30):
        connection = upgraded()
        try:
            connection.sendall(os.urandom(2000))
        except OSError:
            pass
        connection.close()
    check("random bytes", True)


good = Good()
calm = good.echo(50)
idle = [dial() for _ in range(120)]
groups = [threading.Thread(target=each) for each in (
    announced_bodies, silent_http, slow_header, slow_body, slow_chunks, slow_frame, silent, half_closed, endless_frame, endless_fragments, endless_body,
    no_reader, damaged)]
for group in groups:
    group.start()
worst = good.echo(200)
check("the others hardly notice", worst < max(4, 20 * calm), (calm, worst))
for group in groups:
    while group.is_alive():
        good.echo(1)
        group.join(0.05)
good.echo(10)
for connection in idle:
    connection.close()
if failures:
    print("\n".join(failures))
    sys.exit(1)
print(f"{count} checks")
