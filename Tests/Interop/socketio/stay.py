"""A stock client that says when it joined and when it was let go: stay.py URL TOKEN"""
import sys

import socketio

client = socketio.Client(reconnection=False)
client.on("disconnect", lambda *reason: print("disconnected", flush=True))
client.on("ready", lambda *arguments: print("joined", flush=True))
client.connect(sys.argv[1], auth={"token": sys.argv[2]}, wait_timeout=60)
client.wait()
