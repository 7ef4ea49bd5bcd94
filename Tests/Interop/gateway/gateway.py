"""A gateway in a process of its own, for kill.py, attack.py and events.py."""
import http.client
import json
import os
import select
import subprocess


class Gateway:
    """To be used with `with`: no check that fails leaves it behind."""

    def __init__(self, atmos, folder, *options):
        self.atmos, self.folder, self.options, self.port, self.process = atmos, folder, options, 0, None
        self.environment = dict(os.environ, HOME=folder, ATMOS_TRUST=folder + "/")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.kill()

    def start(self, **environment):
        """With a fault in its environment it may end before it listens."""
        self.process = subprocess.Popen(
            [self.atmos, "gateway", "--port", str(self.port), "--token-file", "token", "--json", *self.options],
            cwd=self.folder, env=self.environment | environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline() if select.select([self.process.stdout], [], [], 60)[0] else b""
        if environment and not line:
            return
        assert line, "the gateway did not start"
        self.address = json.loads(line)
        self.port = int(self.address["url"].rsplit(":", 1)[1])
        self.token = open(os.path.join(self.folder, "token")).read().strip()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def ends_within(self, seconds):
        try:
            self.process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def end(self):
        self.process.terminate()
        status = self.process.wait(60)
        self.process.stdout.close()
        return status

    def connection(self, timeout=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, value=None, headers=(), connection=None):
        """The status and the JSON of an answer."""
        connection = connection or self.connection()
        all_headers = {"Authorization": f"Bearer {self.token}", **dict(headers)}
        body = None
        if value is not None:
            body = json.dumps(value)
            all_headers["Content-Type"] = "application/json"
        connection.request(method, path, body, all_headers)
        answer = connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content) if content else None

    def memory(self):
        """In KiB: now, and at the most so far."""
        with open(f"/proc/{self.process.pid}/status") as status:
            lines = dict(line.split(":", 1) for line in status)
        return tuple(int(lines[name].split()[0]) for name in ("VmRSS", "VmHWM"))
