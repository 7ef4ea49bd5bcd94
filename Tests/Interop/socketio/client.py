"""Stock clients of python-socketio against an echo server: client.py URL sync|async TRANSPORT[,TRANSPORT] [CASE]

Prints one JSON object with what was seen. CASE is `echo` (default), or `stay`, which prints "joined" and waits to be
killed.
"""
import asyncio
import json
import sys
import threading
import time

import socketio

url, kind, transports = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
case = sys.argv[4] if len(sys.argv) > 4 else "echo"
BINARY = [b"\x01\x02\x03", {"a": [b"", 1, None, "€"]}]


def plain(value):
    """Bytes as JSON can show them."""
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": list(value)}
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if isinstance(value, dict):
        return {name: plain(element) for name, element in value.items()}
    return value


def run_sync():
    seen = {}
    client = socketio.Client(reconnection=False)
    back, answered, auth = threading.Event(), threading.Event(), threading.Event()

    @client.on("auth")
    def on_auth(data):
        seen["auth"] = data
        auth.set()

    @client.on("message-back")
    def on_back(*arguments):
        seen.setdefault("back", []).append(arguments)
        back.set()

    @client.on("ask")
    def on_ask(number, data):
        return number + 1, data

    @client.on("answered")
    def on_answered(*arguments):
        seen["answered"] = arguments
        answered.set()

    @client.on("auth", namespace="/custom")
    def on_custom(data):
        seen["custom"] = data

    client.connect(url, auth={"token": "123"}, transports=transports, namespaces=["/", "/custom"], wait_timeout=60)
    assert auth.wait(60)
    client.emit("message", (1, "2", {"3": [True]}))
    assert back.wait(60)
    back.clear()
    client.emit("message", tuple(BINARY))
    assert back.wait(60)
    seen["ack"] = client.call("message-with-ack", (1, "2", {"3": [False]}), timeout=60)
    seen["binary_ack"] = client.call("message-with-ack", tuple(BINARY), timeout=60)
    client.emit("ask-me", b"\x09")
    assert answered.wait(60)
    seen["custom_ack"] = client.call("message-with-ack", "in custom", namespace="/custom", timeout=60)
    time.sleep(1.3)  # four heartbeats of the test's server
    seen["alive"] = client.call("message-with-ack", "still here", timeout=60)
    seen["transport"] = client.transport()
    client.disconnect()
    other = socketio.Client(reconnection=False)
    try:
        other.connect(url, transports=transports, namespaces=["/random"], wait_timeout=60)
        seen["refused"] = False
    except socketio.exceptions.ConnectionError as error:
        seen["refused"] = str(error)
    return seen


async def run_async():
    seen = {}
    client = socketio.AsyncClient(reconnection=False)
    back, answered, auth = asyncio.Event(), asyncio.Event(), asyncio.Event()

    @client.on("auth")
    async def on_auth(data):
        seen["auth"] = data
        auth.set()

    @client.on("message-back")
    async def on_back(*arguments):
        seen.setdefault("back", []).append(arguments)
        back.set()

    @client.on("ask")
    async def on_ask(number, data):
        return number + 1, data

    @client.on("answered")
    async def on_answered(*arguments):
        seen["answered"] = arguments
        answered.set()

    @client.on("auth", namespace="/custom")
    async def on_custom(data):
        seen["custom"] = data

    async def wait(event):
        await asyncio.wait_for(event.wait(), 60)

    await client.connect(
        url, auth={"token": "123"}, transports=transports, namespaces=["/", "/custom"], wait_timeout=60)
    await wait(auth)
    await client.emit("message", (1, "2", {"3": [True]}))
    await wait(back)
    back.clear()
    await client.emit("message", tuple(BINARY))
    await wait(back)
    seen["ack"] = await client.call("message-with-ack", (1, "2", {"3": [False]}), timeout=60)
    seen["binary_ack"] = await client.call("message-with-ack", tuple(BINARY), timeout=60)
    await client.emit("ask-me", b"\x09")
    await wait(answered)
    seen["custom_ack"] = await client.call("message-with-ack", "in custom", namespace="/custom", timeout=60)
    await asyncio.sleep(1.3)
    seen["alive"] = await client.call("message-with-ack", "still here", timeout=60)
    seen["transport"] = client.transport()
    await client.disconnect()
    other = socketio.AsyncClient(reconnection=False)
    try:
        await other.connect(url, transports=transports, namespaces=["/random"], wait_timeout=60)
        seen["refused"] = False
    except socketio.exceptions.ConnectionError as error:
        seen["refused"] = str(error)
    return seen


def stay():
    client = socketio.Client(reconnection=False)
    client.connect(url, transports=transports, wait_timeout=60)
    print("joined", flush=True)
    time.sleep(600)


if case == "stay":
    stay()
else:
    print(json.dumps(plain(run_sync() if kind == "sync" else asyncio.run(run_async()))))
