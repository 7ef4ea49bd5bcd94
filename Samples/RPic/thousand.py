"""Many pictures through a network that is cut at random: thousand.py [NUMBER] [BYTES] [--seed N]

Takes pictures without a network, 1,000 of 2 MB unless told otherwise, and sends them with the command `atmos`, which is in PATH,
through a proxy that cuts each connection after a random number of bytes. Then it compares what the server has, and tells how
many bytes went twice and how much memory the command took. It runs the server with its own Python, which has what
server/requirements.txt names.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
MILLION = 1_000_000


class CuttingProxy:
    """Takes connections for a server, and cuts each after a random number of bytes, on average those of a few pictures."""

    def __init__(self, server, average, seed):
        self.server, self.average, self.random = server, average, random.Random(seed)
        self.sent = self.cuts = 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client = self.listener.accept()[0]
            try:
                server = socket.create_connection(self.server, timeout=60)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            connection = {"left": int(self.random.expovariate(1 / self.average)), "ends": (client, server)}
            for source in (0, 1):
                threading.Thread(target=self.carry, args=(connection, source), daemon=True).start()

    def carry(self, connection, source):
        ends = connection["ends"]
        try:
            while data := ends[source].recv(1 << 16):
                with self.lock:
                    is_cut = connection["left"] < len(data)
                    data = data[:max(0, connection["left"])] if is_cut else data
                    connection["left"] -= len(data)
                    self.sent += len(data) if source == 0 else 0
                    self.cuts += is_cut
                ends[1 - source].sendall(data)
                if is_cut:
                    break
            else:
                ends[1 - source].shutdown(socket.SHUT_WR)
                return
        except OSError:
            pass
        for end in ends:
            try:
                # A reset, as where a phone leaves the network.
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RDWR)
                end.close()
            except OSError:
                pass


class Memory:
    """What a process takes, from time to time."""

    def __init__(self):
        self.samples = []

    def watch(self, process):
        while process.poll() is None:
            try:
                status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                self.samples += [int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")]
            except (OSError, ProcessLookupError):
                pass
            time.sleep(0.05)

    def told(self):
        quarter = max(1, len(self.samples) // 4)
        first, last = max(self.samples[:quarter]), max(self.samples[-quarter:])
        return f"memory: {first:.0f} MiB at most in the first quarter of the time, {last:.0f} MiB in the last"


def environment(folder):
    """The route file in the folder may keep what is typed."""
    return dict(os.environ, ATMOS_TRUST=f"{folder}/")


def atmos(folder, *words, **options):
    return subprocess.run(["atmos", *words], cwd=folder, env=environment(folder), text=True, capture_output=True, **options)


def picture(number, size, seed):
    """Bytes of its own, between the marks of a JPEG."""
    return b"\xff\xd8" + random.Random(f"{seed}/{number}").randbytes(max(0, size - 4)) + b"\xff\xd9"


def take(folder, number, size, seed):
    file = folder / "picture.jpg"
    file.write_bytes(picture(number, size, seed))
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_780_000_000 + number))
    uri = atmos(folder, "create", "pictures", f"title=Picture {number}", f"taken={moment}", check=True).stdout.split()[0]
    atmos(folder, "attach", uri, "picture", str(file), check=True)
    file.unlink()


def send(folder):
    """As often as it takes, while it gets on; the command says when it is worth another try."""
    memory, runs, waiting, in_vain = Memory(), 0, None, 0
    while in_vain < 50:
        runs += 1
        process = subprocess.Popen(
            ["atmos", "push", "--quiet"], cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        memory.watch(process)
        status = json.loads(atmos(folder, "status", "--json", "--limit", "1000000", check=True).stdout)
        if rejected := sum(each["rejected"] for each in status["entities"].values()):
            sys.exit(f"the server refused {rejected} picture(s)")
        before, waiting = waiting, len(status["pending"])
        if not waiting:
            return memory, runs
        if process.returncode not in (1, 3, 4):
            sys.exit(f"atmos push ended with {process.returncode}")
        in_vain = in_vain + 1 if waiting == before else 0
        if in_vain:
            time.sleep(1)
    sys.exit(f"{waiting} picture(s) wait, and {in_vain} runs of atmos push sent none of them")


def compare(base, files, number, size, seed):
    """Each picture is there once, with its bytes."""
    titles, page = {}, f"{base}/pictures/"
    while page:
        with urllib.request.urlopen(page, timeout=60) as answer:
            document = json.load(answer)
        for each in document["results"]:
            titles.setdefault(each["title"], []).append(f"{each['user']}_{each['uuid']}.jpg")
        page = document["next"]
    assert len(os.listdir(files)) == sum(map(len, titles.values())) == number, "not each picture is there once"
    for index in range(number):
        (name,) = titles[f"Picture {index}"]
        here, there = picture(index, size, seed), (files / name).read_bytes()
        assert hashlib.sha256(here).digest() == hashlib.sha256(there).digest(), f"{name} is not what was sent"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", nargs="?", type=int, default=1000)
    parser.add_argument("bytes", nargs="?", type=int, default=2 * MILLION)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rpic-") as name:
        folder = pathlib.Path(name)
        server = subprocess.Popen([sys.executable, HERE / "server/server.py", folder / "server.db", "0"], stdout=subprocess.PIPE, text=True)
        try:
            base = server.stdout.readline().strip()
            port = int(base.split(":")[2].split("/")[0])
            proxy = CuttingProxy(("127.0.0.1", port), 3 * options.bytes, options.seed)
            lines = (HERE / "rpic.yaml").read_text().splitlines()
            lines = [f"base: http://127.0.0.1:{proxy.port}/rpic" if line.startswith("base:") else line for line in lines]
            (folder / "atmosphere.yaml").write_text("\n".join(lines) + "\n")
            signed_in = atmos(folder, "login", "--stdin", input="anna\npass-of-anna\n")
            if signed_in.returncode:
                sys.exit(signed_in.stderr)
            start, before = time.monotonic(), proxy.sent
            for index in range(options.number):
                take(folder, index, options.bytes, options.seed)
            assert proxy.sent == before, "taking pictures has asked the server"
            print(f"taken without a network: {options.number} pictures of {options.bytes} bytes, in {time.monotonic() - start:.0f} s")
            start = time.monotonic()
            memory, runs = send(folder)
            content, sent = options.number * options.bytes, proxy.sent - before
            print(f"sent: in {time.monotonic() - start:.0f} s, by {runs} run(s) of atmos push, over {proxy.cuts} cuts")
            compare(base, folder / "server.db.files", options.number, options.bytes, options.seed)
            print("each picture is there once, with its bytes")
            print(f"bytes: {sent / MILLION:.1f} MB for {content / MILLION:.1f} MB of pictures; "
                  f"{(sent - content) / MILLION:.1f} MB went twice, or beside them")
            print(memory.told())
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
