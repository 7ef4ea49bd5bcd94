"""A stock client that prints "joined" and then a line of JSON for each event: listen.py URL TOKEN ROOM COUNT"""
import json
import queue
import sys

import socketio

url, token, room, count = sys.argv[1:5]
events = queue.Queue()
client = socketio.Client(reconnection=False)
client.on("*", lambda name, *arguments: events.put([name, arguments[0]]))
client.connect(url, auth={"token": token, "rooms": [room]}, transports=["websocket"], wait_timeout=60)
assert events.get(timeout=60)[0] == "ready"
print("joined", flush=True)
for _ in range(int(count)):
    print(json.dumps(events.get(timeout=60)), flush=True)
client.disconnect()
