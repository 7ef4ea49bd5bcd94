"""Measures notification servers side by side: measure.py DIR ATMOS LOAD PYTHON CONNECTIONS[,…] SECONDS [SERVER,…]

Each server is started afresh for each number of connections. Prints a line of JSON for each measurement and a table at
the end.
"""
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time

folder, atmos, load, python = sys.argv[1:5]
sizes = [int(size) for size in sys.argv[5].split(",")]
seconds = float(sys.argv[6])
kinds = sys.argv[7].split(",") if len(sys.argv) > 7 else ["atmosphere", "python", "nchan", "floor"]
here = os.path.dirname(os.path.abspath(__file__))
TICK = os.sysconf("SC_CLK_TCK")
PAD = "x" * 80
ROUNDS = 3
os.makedirs(folder, exist_ok=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            found = [int(child) for child in file.read().split()]
    except OSError:
        return []
    return found + [each for child in found for each in children(child)]


class Server:
    def __init__(self, kind, connections):
        self.kind, self.port = kind, free_port()
        self.folder = f"{folder}/{kind}"
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        getattr(self, kind)(connections)
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
        time.sleep(0.5)

    def start(self, command, **more):
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=open(f"{self.folder}/log", "w"), **more)

    def requests(self, everyone, users):
        path, header, body = everyone
        long = path, header, body.replace(PAD, PAD * 25)
        for name, (path, header, body) in (("all", everyone), ("long", long), ("users", users)):
            with open(f"{self.folder}/request-{name}", "w") as file:
                file.write(f"POST {path} HTTP/1.1\n{header}\n\n{body}")

    def atmosphere(self, connections):
        with open(f"{self.folder}/publishers.keys", "w") as file:
            file.write("publisher-0123456789 load\n")
        with open(f"{self.folder}/clients.keys", "w") as file:
            for number in range(connections):
                file.write(f"key-of-user-{number:08d} u{number} all\n")
        self.start([atmos, "serve", "--port", str(self.port), "--publishers", f"{self.folder}/publishers.keys",
                    "--clients", f"{self.folder}/clients.keys", "--window", "1000"])
        header = "Content-Type: application/json\nAuthorization: Bearer publisher-0123456789"
        data = '"data":{"t":"@T","pad":"%s"}' % PAD
        self.requests(("/notification", header, '{"to":{"rooms":["all"]},%s}' % data),
                      ("/notification", header, '{"to":[@Q],%s}' % data))

    def python(self, connections):
        self.start([python, "-m", "uvicorn", "--app-dir", here, "--port", str(self.port), "--log-level", "error",
                    "--backlog", "1024", "python_server:app"])
        header = "Content-Type: application/json"
        data = '"data":{"t":"@T","pad":"%s%s"}' % (PAD, "y" * 40)
        self.requests(("/all", header, "{%s}" % data), ("/users", header, '{"to":[@Q],%s}' % data))

    def nchan(self, connections):
        with open(f"{self.folder}/nginx.conf", "w") as file:
            file.write(f"""
load_module /usr/lib/nginx/modules/ngx_nchan_module.so;
worker_processes 1; daemon off; pid {self.folder}/pid; error_log {self.folder}/error.log;
events {{ worker_connections 30000; }}
http {{
  access_log off; keepalive_requests 100000000; nchan_max_reserved_memory 512M;
  client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy;
  fastcgi_temp_path {self.folder}/fastcgi; uwsgi_temp_path {self.folder}/uwsgi; scgi_temp_path {self.folder}/scgi;
  server {{
    listen 127.0.0.1:{self.port} backlog=1024;
    location ~ ^/sub/(.+)$ {{ nchan_subscriber websocket; nchan_channel_id $1; nchan_channel_id_split_delimiter ",";
      nchan_message_buffer_length 10; nchan_subscriber_first_message newest; }}
    location ~ ^/pub/(.+)$ {{ nchan_publisher; nchan_channel_id $1; nchan_channel_id_split_delimiter ",";
      nchan_message_buffer_length 10; }}
  }}
}}""")
        self.start(["nginx", "-c", f"{self.folder}/nginx.conf"])
        body = '{"t":"@T","pad":"%s%s"}' % (PAD, "y" * 80)
        self.requests(("/pub/all", "Content-Type: application/json", body),
                      ("/pub/@U", "Content-Type: application/json", body))

    def floor(self, connections):
        self.start([os.path.join(os.path.dirname(load), "floor"), str(self.port)])
        body = '{"t":"@T","pad":"%s%s"}' % (PAD, "y" * 80)
        self.requests(("/pub/all", "Content-Type: application/json", body),
                      ("/pub/@U", "Content-Type: application/json", body))

    @property
    def pids(self):
        return [self.process.pid] + children(self.process.pid)

    def cpu(self):
        total = 0
        for pid in self.pids:
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rsplit(") ", 1)[1].split()
            total += (int(fields[11]) + int(fields[12])) / TICK
        return total

    def memory(self):
        total = 0
        for pid in self.pids:
            with open(f"/proc/{pid}/status") as file:
                total += sum(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))
        return total

    def stop(self):
        self.process.send_signal(signal.SIGTERM if self.kind == "nchan" else signal.SIGKILL)
        self.process.wait()


class Load:
    def __init__(self, server, connections, stalled=0):
        self.server, self.connections = server, connections
        self.process = subprocess.Popen(
            [load, str(server.port), "plain" if server.kind in ("nchan", "floor") else "socketio", str(connections), str(stalled)],
            cwd=server.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        before, cpu = server.memory(), server.cpu()
        self.connect = self.read()
        time.sleep(0.5)
        self.connect |= {"server": server.kind, "per_second": round(connections / self.connect["seconds"]),
                         "bytes_each": round((server.memory() - before) / connections),
                         "cpu_us_each": round((server.cpu() - cpu) * 1e6 / connections, 1)}
        print(json.dumps(self.connect), flush=True)

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.server.kind}: the load generator ended; see {self.server.folder}/log")
        return json.loads(line)

    def publish(self, name, count, rate, users):
        cpu = self.server.cpu()
        self.process.stdin.write(f"publish {name} {max(1, int(count))} {rate} {users}\n")
        self.process.stdin.flush()
        result = self.read()
        used = self.server.cpu() - cpu
        result |= {"server": self.server.kind, "clients": self.connections,
                   "per_second": round(result["delivered"] / result["seconds"]),
                   "cpu_us": round(used * 1e6 / max(1, result["delivered"]), 2)}
        print(json.dumps(result), flush=True)
        return result

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def with_stalled(kind, size):
    """Broadcasts of 2 kB at a steady rate, without and with one in a hundred clients that reads nothing, in turns and
    each time on a new server: medians, for one slow broadcast of a hundred is the whole 99th percentile."""
    found = {0: [], size // 100: []}
    for turn in range(ROUNDS):
        for stalled, results in found.items():
            server = Server(kind, size + stalled)
            generator = Load(server, size + stalled, stalled=stalled)
            generator.publish("warm", 20, 20, 0)
            results.append(generator.publish(f"20/s-to-all-{stalled}-stalled", 20 * seconds, 20, -1))
            generator.stop()
            server.stop()
    return [{"expected": sum(each["expected"] for each in results),
             "delivered": sum(each["delivered"] for each in results),
             "p50": statistics.median(each["p50"] for each in results),
             "p99": statistics.median(each["p99"] for each in results)} for results in found.values()]


rows = []
for size in sizes:
    for kind in kinds:
        server = Server(kind, size)
        # What a program loads for its first clients is not what each of them takes.
        Load(server, 10).stop()
        time.sleep(0.5)
        generator = Load(server, size)
        generator.publish("warm", 20, 20, 0)
        # As fast as requests are answered, for about so many seconds by what the slowest of them does.
        broadcast = generator.publish("broadcast", 60_000 * seconds / size, 0, 0)
        users = generator.publish("users", 1000 * seconds, 0, 10)
        steady = generator.publish("300/s", 300 * seconds, 300, 10)
        generator.stop()
        server.stop()
        # To more clients these are more than two processors deliver, and say nothing.
        calm, slow = with_stalled(kind, size) if size <= 1000 else (None, None)
        rows.append((size, kind, generator.connect, broadcast, users, steady, calm, slow))

print()
print("| connections | server | connects/s | bytes each | broadcast: delivered/s | CPU us each | to 10 users: delivered/s"
      " | CPU us each | 300/s to 10: p50 / p99 ms | 20/s of 2 kB to all: p50 / p99 ms | with 1 % stalled |")
print("|---|---|---|---|---|---|---|---|---|---|---|")
for size, kind, connect, broadcast, users, steady, calm, slow in rows:
    def pair(result):
        if result is None:
            return ""
        missing = result["expected"] - result["delivered"]
        return f"{result['p50']:.2f} / {result['p99']:.2f}" + (f" ({missing} lost)" if missing else "")
    print(f"| {size:,} | {kind} | {connect['per_second']:,} | {connect['bytes_each']:,} | {broadcast['per_second']:,} | "
          f"{broadcast['cpu_us']} | {users['per_second']:,} | {users['cpu_us']} | {pair(steady)} | {pair(calm)} | "
          f"{pair(slow)} |")
with open("/proc/loadavg") as file:
    print(f"load: {' '.join(file.read().split()[:3])}, processors: {os.cpu_count()}")
