"""A stock client that says when it joined and when it was let go: stay.py URL TOKEN"""
import sys
import threading

import socketio

ready, left = threading.Event(), threading.Event()
client = socketio.Client(reconnection=False)
client.on("disconnect", lambda *reason: left.set())
client.on("ready", lambda *arguments: ready.set())
client.connect(sys.argv[1], auth={"token": sys.argv[2]}, wait_timeout=60)
# It may be ready while it still connects; who is let go then never was connected.
if ready.wait(60):
    print("joined", flush=True)
if left.wait(60):
    print("disconnected", flush=True)
