"""What the scripts share that start `atmos serve` themselves, on free ports: the first argument is the command, the second a
folder for its files.
"""
import json
import os
import queue
import signal
import subprocess
import sys
import threading

import requests
import websocket

atmos, folder = sys.argv[1:3]
PUBLISHER, ANN, BOB = "publisher-0123456789", "ann-0123456789abcdef", "bob-0123456789abcdef"
failures, count, processes = [], 0, []


def check(name, condition, seen=None):
    global count
    count += 1
    if not condition:
        failures.append(f"{name}: {seen!r}")


def write(name, text):
    with open(f"{folder}/{name}", "w") as file:
        file.write(text)
    os.chmod(f"{folder}/{name}", 0o600)


class Serve:
    def __init__(self, *options, publishers=True, clients=True):
        self.process = subprocess.Popen(
            [atmos, "serve", "--port", "0", *options]
            + (["--clients", f"{folder}/clients.keys"] if clients else [])
            + (["--publishers", f"{folder}/publishers.keys"] if publishers else []),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        processes.append(self.process)
        self.url = self.process.stdout.readline().strip()
        self.warnings = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stderr:
            self.warnings.put(line)

    def publish(self, body, key=PUBLISHER, **headers):
        return requests.post(self.url + "/notification", json=body, timeout=60,
                             headers={"authorization": f"Bearer {key}", **headers})

    def socket(self):
        return websocket.create_connection(
            self.url.replace("http", "ws", 1) + "/socket.io/?EIO=4&transport=websocket", timeout=60)


class Client:
    def __init__(self, serve, token, **auth):
        self.socket = serve.socket()
        self.socket.recv()
        self.socket.send("40" + json.dumps({"token": token, **auth}))
        self.connected = self.message()

    def message(self):
        while True:
            data = self.socket.recv()
            if data != "2":
                return data
            self.socket.send("3")

    def event(self):
        return json.loads(self.message()[2:])


def run(*groups):
    """Runs each, prints what did not hold, and ends the program."""
    write("publishers.keys", f"{PUBLISHER} backend\n")
    for group in groups:
        write("clients.keys", f"{ANN} ann tasks/* notes/*\n{BOB} bob\n")
        try:
            group()
        except Exception as error:
            line = error.__traceback__.tb_next.tb_lineno
            failures.append(f"{group.__name__}: {type(error).__name__}: {error} (line {line})")
    for process in processes:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
    if failures:
        print("\n".join(failures))
        sys.exit(1)
    print(f"{count} checks")
