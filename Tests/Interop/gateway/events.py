"""The gateway's events for a stock client of Socket.IO: events.py ATMOS FOLDER

FOLDER holds a route file with an entity `tasks`. Edits through HTTP, and expects to hear of each once: at once, after a lost
connection, and not at all without the token. The last line says that all of it was seen.
"""
import json
import queue
import sys

import socketio

from gateway import Gateway


def client(url, auth, transports):
    """A client that is connected, and what it hears."""
    heard = queue.Queue()
    peer = socketio.Client(reconnection=False)
    for name in ("ready", "reset", "changed", "status"):
        peer.on(name, lambda data, id, name=name: heard.put((name, data, id)))
    peer.connect(url, auth=auth, transports=transports, wait_timeout=60)
    return peer, heard


def hear(heard, name):
    while True:
        each = heard.get(timeout=60)
        if each[0] == name:
            return each


def refusal(url, auth):
    peer = socketio.Client(reconnection=False)
    said = queue.Queue()
    peer.on("connect_error", said.put)
    try:
        peer.connect(url, auth=auth, wait_timeout=60)
    except socketio.exceptions.ConnectionError:
        pass
    return said.get(timeout=60)


def main(gateway):
    gateway.start()
    url = gateway.address["socketIO"]
    auth = {"token": gateway.token, "entities": ["tasks"]}
    status, task = gateway.ask("POST", "/v1/objects/tasks", {"title": "before"})
    assert status == 201, task
    uuid = task["id"]
    for transports in (["polling"], ["websocket"], ["polling", "websocket"]):
        peer, heard = client(url, auth, transports)
        hear(heard, "ready")
        gateway.ask("PATCH", f"/v1/objects/tasks/{uuid}", {"title": f"seen by {transports}"})
        _, change, last = hear(heard, "changed")
        assert change == {"entity": "tasks", "origin": "application", "ids": [uuid]}, change
        peer.disconnect()
        # What happens meanwhile is told to who comes back, once, and nothing that was seen.
        gateway.ask("PATCH", f"/v1/objects/tasks/{uuid}", {"title": f"missed by {transports}"})
        peer, heard = client(url, {**auth, "after": last}, transports)
        _, change, again = hear(heard, "changed")
        assert again != last and change["ids"] == [uuid], (last, again)
        peer.disconnect()
        peer, heard = client(url, {**auth, "after": "another run-7"}, transports)
        hear(heard, "reset")
        peer.disconnect()
        print(f"{'+'.join(transports)}: heard, caught up, told to read again")
    for wrong in ({}, {"token": "x"}, {"token": 7}):
        assert "token" in json.dumps(refusal(url, wrong)), wrong
    assert "nothing" in json.dumps(refusal(url, {**auth, "entities": ["nothing"]}))
    assert gateway.end() == 0
    print("events: heard over Socket.IO, and by nobody without the token")


if __name__ == "__main__":
    with Gateway(sys.argv[1], sys.argv[2], "--socket-io", "0") as gateway:
        main(gateway)
