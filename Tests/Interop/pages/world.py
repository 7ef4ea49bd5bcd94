"""An API, a gateway in front of a copy of it, and browsers that open pages of it."""
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from studio_support import first_line

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]

ROUTES = """\
atmosphere: 1
name: {name}
style: django-rest
base: {base}
store: {{ kind: sqlite, path: tasks.db }}
resources:
  lists:
    deletes: absent
  tasks:
    parent: {{ lists: list }}
    types: {{ done: boolean, rank: integer, weight: float, price: decimal, due: date, tags: json }}
    readonly: [modified]
    lookup: {{ field: uuid, query: uuid }}
"""


class World:
    """Everything below a temporary folder; ends what it started."""

    def __init__(self, atmos, browser, *options, seed=5, pages=HERE / "site", name="tasks", routes=ROUTES):
        self.atmos, self.browser, self.options, self.routes = atmos, browser, options, routes
        self.folder = tempfile.mkdtemp(prefix="atmosphere-pages-")
        self.environment = dict(os.environ, HOME=self.folder, ATMOS_TRUST=self.folder + "/")
        self.gateway, self.port, self.contexts, self.errors, self.name = None, 0, [], [], name
        self.pages = pages
        self.write_routes("http://127.0.0.1/api")
        self.source = self.spawn("source", "--port", "0", "--seed", str(seed))
        self.lossy = Lossy(json.loads(first_line(self.source))["url"])
        self.base = self.lossy.base
        self.write_routes(self.base)
        self.run("pull")

    def write_routes(self, base, routes=None):
        with open(os.path.join(self.folder, "atmosphere.yaml"), "w") as file:
            file.write((routes or self.routes).format(name=self.name, base=base))

    def spawn(self, *arguments):
        return subprocess.Popen([self.atmos, *arguments, "--json"], cwd=self.folder, env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def run(self, *arguments):
        return subprocess.run([self.atmos, *arguments], cwd=self.folder, env=self.environment, check=True,
                              capture_output=True, text=True).stdout

    # The gateway

    def start(self, token_file="token"):
        self.gateway = self.spawn("gateway", "--port", str(self.port), "--token-file", token_file, "--pages", self.pages,
                                  *self.options)
        line = first_line(self.gateway)
        assert line, "the gateway did not start"
        self.link = json.loads(line)["link"]
        self.url = self.link.split("/?")[0]
        self.port = int(self.url.rsplit(":", 1)[1])
        self.token = open(os.path.join(self.folder, token_file)).read().strip()

    def kill(self):
        self.gateway.send_signal(signal.SIGKILL)
        self.gateway.wait()
        self.gateway.stdout.close()
        self.gateway = None

    def ask(self, method, path, value=None, headers=()):
        """The status and the JSON of the gateway's answer."""
        return request(self.url, method, path, value, {"Authorization": f"Bearer {self.token}", **dict(headers)})

    def ask_source(self, method, path, value=None):
        return request(self.base, method, path, value)

    def records(self, entity="tasks"):
        found = []
        while True:
            status, answer = self.ask("GET", f"/v1/objects/{entity}?sort=id&limit=1000&offset={len(found)}")
            assert status == 200, answer
            found += answer["items"]
            if len(found) >= answer["total"] or not answer["items"]:
                return found

    # Browsers

    def profile(self, script=None, **options):
        """A browser profile of its own, let in by the link."""
        context = self.browser.new_context(**options)
        context.set_default_timeout(20000)
        if script:
            context.add_init_script(script)
        self.contexts.append(context)
        return context

    def open(self, context=None, script=None, wait="() => window.opened", **options):
        context = context or self.profile(script, **options)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(self.link)
        page.wait_for_function(wait)
        return page

    def end(self):
        try:
            for context in self.contexts:
                context.close()
        finally:
            for process in (self.gateway, self.source):
                if process:
                    process.kill()
                    process.wait()
                    process.stdout.close()
            self.lossy.end()
            shutil.rmtree(self.folder)


class Lossy:
    """Stands before the API, and loses the answers of as many creates as `creates` says; they are done."""

    def __init__(self, base):
        host, _, self.path = base.removeprefix("http://").partition("/")
        lossy, self.creates = self, 0

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                connection = http.client.HTTPConnection(host, timeout=120)
                headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
                connection.request(self.command, self.path, body or None, headers)
                answer = connection.getresponse()
                content = answer.read()
                connection.close()
                if self.command == "POST" and lossy.creates:
                    lossy.creates -= 1
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "content-length", "date", "server", "transfer-encoding"):
                        self.send_header(name, value)
                if answer.status not in (204, 304):
                    self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_PATCH = do_PUT = do_DELETE = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.server.server_port}/{self.path}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


def request(url, method, path, value=None, headers=()):
    host, _, base = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=120)
    body = None if value is None else json.dumps(value)
    all_headers = dict(headers) if body is None else {"Content-Type": "application/json", **dict(headers)}
    connection.request(method, (f"/{base}" if base else "") + path, body, all_headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, json.loads(content) if content else None
