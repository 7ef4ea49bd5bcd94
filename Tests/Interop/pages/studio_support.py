"""What studio_test.py works with: a small API that can be made to fail, and a gateway in front of a copy of it."""

import http.client
import json
import os
import re
import select
import shutil
import signal
import subprocess
import threading
import time
import urllib.parse
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Overdue(BaseException):
    """A test that does not end: its traceback says where it waits. No `except Exception` goes on after it."""


def overdue(*_):
    raise Overdue


# What a test has started is ended by its `finally`. Raised again and again, so that these do not wait either.
signal.signal(signal.SIGALRM, overdue)
signal.setitimer(signal.ITIMER_REAL, 900, 30)


def first_line(process, seconds=60):
    """What a process with a pipe says first; empty where it ends, or says nothing in time."""
    return process.stdout.readline().strip() if select.select([process.stdout], [], [], seconds)[0] else process.stdout.read(0)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; font-src 'self'; media-src 'self' blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)

ROUTES = """\
atmosphere: 1
name: tasks
style: django-rest
base: {base}
store: {{ kind: sqlite, path: tasks.db }}
{top}resources:
  lists:
    deletes: absent
  tasks:
    parent: {{ lists: list }}
    types: {{ title: string, done: boolean, rank: integer, price: decimal, due: date, tags: json }}
    indexes: [title, rank, price, due]
    readonly: [modified]
    deletes: absent
    lookup: {{ field: uuid, query: uuid }}
    actions:
      archive: {{ post: "tasks/{{id}}/archive/" }}
      remind: {{ post: "tasks/{{id}}/remind/", body: [text] }}
    attachments:
      photo: {{ upload: {{ path: "tasks/{{id}}/photo/" }}, download: {{ path: "tasks/{{id}}/photo/" }} }}
  notes:
    types: {{ pinned: boolean }}
    deletes: absent
"""

VERBS = ["Order", "Call about", "Repair", "Compare", "Plan", "Photograph", "Return", "Write down", "Ask for", "Collect"]
THINGS = [
    "oat milk",
    "the garden gate",
    "winter tyres",
    "the tax letter",
    "a birthday cake",
    "the ferry tickets",
    "bicycle lights",
    "the reading lamp",
    "the school trip",
    "tomato seeds",
    "the boiler",
    "new curtains",
]
PLACES = [
    "for the office",
    "with Mira",
    "before the weekend",
    "at the market",
    "for the neighbours",
    "in the cellar",
    "with the landlord",
    "on the way home",
]
LISTS = [("Home", "sage"), ("Office", "slate"), ("Garden", "moss"), ("Journey to Lofoten", "sky"), ("Someday", "sand")]


def task(number):
    """A task that always looks the same."""
    title = f"{VERBS[number % 10]} {THINGS[number // 10 % 12]} {PLACES[number // 7 % 8]}"
    if number == 4_321:
        title = "Find the needle in the haystack"
    return {
        "id": number,
        "list": number % len(LISTS) + 1,
        "title": title,
        "done": number % 3 == 0,
        "rank": number * 7919 % 1000,
        "price": f"{number * 37 % 9000 / 100 + 1:.2f}",
        "due": f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "tags": [["home"], ["errand", "soon"], []][number % 3],
        "notes": "",
        "photo": None,
        "uuid": str(uuid.UUID(int=number)),
        "modified": "2026-11-01T08:00:00Z",
    }


class Api:
    """An API as Django REST Framework serves one, from memory. `refuse`, `lose` and `busy` make it fail."""

    def __init__(self, tasks=12):
        self.lock = threading.RLock()
        self.records = {
            "lists": {n + 1: {"id": n + 1, "name": name, "color": color} for n, (name, color) in enumerate(LISTS)},
            "tasks": {n: task(n) for n in range(1, tasks + 1)},
            "notes": {
                1: {"id": 1, "text": "The key is under the third pot.", "pinned": True},
                2: {"id": 2, "text": "Wi-Fi at the cabin: ask Jonas.", "pinned": False},
            },
        }
        self.photos = {}
        self.requests = []
        #: How many creates from now on are done and not answered.
        self.lose = 0
        #: The code that a person enters; None where nobody has to sign in.
        self.code = None
        self.is_approved = False
        #: Whether every request is answered with 500.
        self.busy = False
        #: For how many seconds the server asks to be left alone.
        self.rest = 0
        #: Lists are answered while it is set.
        self.lists = threading.Event()
        self.lists.set()
        #: Connections that are open get no answer any more.
        self.has_ended = False
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if api.has_ended:
                    self.close_connection = True
                else:
                    api.answer(self)

            do_POST = do_PATCH = do_PUT = do_DELETE = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.server.server_port}/api"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.has_ended = True
        self.server.shutdown()
        self.server.server_close()

    # What somebody else does on the server.

    def edit(self, entity, number, **members):
        with self.lock:
            self.records[entity][number].update(members)

    def add(self, entity, **members):
        with self.lock:
            number = max(self.records[entity], default=0) + 1
            record = {**task(number), **members, "id": number} if entity == "tasks" else {"id": number, **members}
            self.records[entity][number] = record
            return number

    def delete(self, entity, number):
        with self.lock:
            del self.records[entity][number]

    # Answers.

    def answer(self, handler):
        place = urllib.parse.urlsplit(handler.path)
        query = dict(urllib.parse.parse_qsl(place.query))
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        self.requests.append((handler.command, handler.path))
        parts = place.path.removeprefix("/api/").strip("/").split("/")
        if handler.command == "GET" and len(parts) == 1:
            self.lists.wait(60)
        with self.lock:
            if place.path in ("/device", "/token"):
                status, answer = self.sign_in(place.path)
            elif self.code and handler.headers.get("Authorization") != "Bearer given":
                status, answer = 401, {"detail": "Sign in first."}
            else:
                status, answer = self.answered(handler.command, parts, query, body)
        if status is None:
            handler.close_connection = True
            return
        content = answer if isinstance(answer, bytes) else b"" if answer is None else json.dumps(answer).encode()
        handler.send_response(status)
        kind = "image/png" if isinstance(answer, bytes) else "application/json"
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(content)))
        if status == 503:
            handler.send_header("Retry-After", str(self.rest))
        handler.end_headers()
        handler.wfile.write(content)

    def answered(self, method, parts, query, body):
        if self.busy:
            return 500, {"detail": "The server is being repaired; try again later."}
        if self.rest:
            return 503, {"detail": "Too much at once."}
        records = self.records.get(parts[0])
        if records is None:
            return 404, {"detail": "Not found."}
        if len(parts) == 1:
            return self.list(parts[0], query) if method == "GET" else self.create(parts[0], json.loads(body))
        number = int(parts[1]) if parts[1].isdigit() else None
        if number not in records:
            return 404, {"detail": "Not found."}
        if len(parts) == 3 and parts[2] == "photo":
            return self.photo(method, number, body)
        if len(parts) == 3:
            return self.act(parts[2], number, body)
        if method == "GET":
            return 200, records[number]
        if method == "DELETE":
            del records[number]
            return 204, None
        members = json.loads(body)
        errors = self.errors(parts[0], members)
        if errors:
            return 400, errors
        records[number].update(members)
        return 200, records[number]

    def sign_in(self, path):
        """OAuth 2.0 for devices (RFC 8628)."""
        if path == "/device":
            return 200, {
                "device_code": "device",
                "user_code": self.code,
                "verification_uri": "https://id.example.com/device",
                "expires_in": 600,
                "interval": 1,
            }
        if not self.is_approved:
            return 400, {"error": "authorization_pending"}
        return 200, {"access_token": "given", "token_type": "Bearer", "expires_in": 3600}

    def list(self, entity, query):
        chosen = list(self.records[entity].values())
        if "uuid" in query:
            chosen = [record for record in chosen if record.get("uuid") == query["uuid"]]
        size, page = 5_000, int(query.get("page", 1))
        shown = chosen[(page - 1) * size : page * size]
        following = f"{self.base}/{entity}/?page={page + 1}" if page * size < len(chosen) else None
        return 200, {"count": len(chosen), "next": following, "previous": None, "results": shown}

    def create(self, entity, members):
        errors = self.errors(entity, members)
        if errors:
            return 400, errors
        number = self.add(entity, **members)
        if self.lose:
            self.lose -= 1
            return None, None
        return 201, self.records[entity][number]

    def photo(self, method, number, body):
        if method == "GET":
            return (200, self.photos[number]) if number in self.photos else (404, {"detail": "Not found."})
        self.photos[number] = body
        self.records["tasks"][number]["photo"] = f"{self.base}/tasks/{number}/photo/?v={len(body)}"
        return 200, self.records["tasks"][number]

    def act(self, action, number, body):
        if action == "archive":
            self.records["tasks"][number]["done"] = True
            return 200, self.records["tasks"][number]
        return 200, {"reminded": json.loads(body or b"{}").get("text")}

    def errors(self, entity, members):
        errors = {}
        if entity == "tasks" and "title" in members and not (members["title"] or "").strip():
            errors["title"] = ["This field may not be blank."]
        rank = members.get("rank")
        if rank is not None and (not isinstance(rank, int) or not 0 <= rank < 1000):
            errors["rank"] = ["Ensure this value is between 0 and 999."]
        return errors


SIGN_IN = """\
auth:
  oauth2: {{ grant: device_code, device: "{origin}/device", token: "{origin}/token", client: {{ id: studio }} }}
"""


class Gateway:
    """`atmos gateway` over a copy of an API, in a folder of its own."""

    def __init__(self, atmos, folder, api, *options, top=""):
        self.atmos, self.folder, self.options, self.process = atmos, folder, options, None
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "atmosphere.yaml"), "w") as file:
            file.write(ROUTES.format(base=api.base, top=top))
        self.environment = dict(os.environ, HOME=folder, ATMOS_TRUST=folder + "/")
        self.port = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.atmos, "gateway", "--port", str(self.port), "--token-file", "token", "--json", *self.options],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        line = first_line(self.process)
        assert line, "the gateway did not start"
        said = json.loads(line)
        self.link, self.port = said["link"], int(said["url"].rsplit(":", 1)[1])
        self.token = urllib.parse.urlsplit(self.link).query.removeprefix("token=")

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(60)
        finally:
            self.process.kill()
            self.process.stdout.close()

    def renew(self):
        """Another run of the gateway, with another token."""
        self.end()
        os.remove(os.path.join(self.folder, "token"))
        self.start()

    def ask(self, method, path, value=None):
        """The status and the JSON of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        headers = {"Authorization": f"Bearer {self.token}"}
        if value is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, None if value is None else json.dumps(value), headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, json.loads(content) if content else None

    def wait(self, path, holds, seconds=30):
        """The answer of a path, as soon as it is as it should be."""
        end = time.monotonic() + seconds
        while True:
            answer = self.ask("GET", path)[1]
            if holds(answer):
                return answer
            assert time.monotonic() < end, f"{path} stays {json.dumps(answer)[:2_000]}"
            time.sleep(0.02)


class QuietServer(ThreadingHTTPServer):
    """A browser that closes a connection is no error."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


class Front:
    """Serves the files of a folder with the gateway's policy, and passes everything else on to a gateway: for work on the
    files without a build of the command."""

    TYPES = {
        ".html": "text/html; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
    }

    def __init__(self, web, gateway, port=0):
        front = self
        self.web, self.gateway = os.path.abspath(web), gateway

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                front.answer(self)

            do_POST = do_PATCH = do_PUT = do_DELETE = do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = QuietServer(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, handler):
        path = urllib.parse.urlsplit(handler.path).path
        name = os.path.normpath(self.web + path + ("index.html" if path.endswith("/") else ""))
        try:
            if handler.command == "GET" and path != "/" and name.startswith(self.web) and os.path.isfile(name):
                self.serve(handler, name)
            else:
                self.pass_on(handler)
        except (OSError, http.client.HTTPException):
            handler.close_connection = True

    def serve(self, handler, name):
        with open(name, "rb") as file:
            content = file.read()
        handler.send_response(200)
        handler.send_header("Content-Type", self.TYPES.get(os.path.splitext(name)[1], "application/octet-stream"))
        handler.send_header("Content-Length", str(len(content)))
        handler.send_header("Content-Security-Policy", POLICY)
        handler.send_header("X-Content-Type-Options", "nosniff")
        handler.end_headers()
        handler.wfile.write(content)

    def pass_on(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        own = f"127.0.0.1:{self.gateway.port}"
        headers = {name: value for name, value in handler.headers.items() if name.lower() not in ("host", "connection")}
        if "Origin" in headers:
            headers["Origin"] = f"http://{own}"
        connection = http.client.HTTPConnection("127.0.0.1", self.gateway.port, timeout=600)
        try:
            connection.request(handler.command, handler.path, body or None, {**headers, "Host": own})
            answer = connection.getresponse()
        except OSError:
            handler.close_connection = True
            return
        handler.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("date", "server", "transfer-encoding", "connection"):
                handler.send_header(name, value)
        if answer.getheader("Content-Length") is None and answer.status not in (204, 304):
            handler.send_header("Connection", "close")
            handler.close_connection = True
        handler.end_headers()
        while handler.command != "HEAD":
            chunk = answer.read1(65_536)
            if not chunk:
                break
            handler.wfile.write(chunk)
            handler.wfile.flush()
        connection.close()


def chromium():
    """The path of the Chromium that CHROMIUM names, or of the system's."""
    return shutil.which(os.environ.get("CHROMIUM") or "chromium")


def origin_of(link):
    return re.match(r"https?://[^/]+", link).group(0)


# What a person has to decide, made on both sides.

LONG = (
    "Mira has the key of the cellar. Ring twice, then wait by the blue door. The boiler man comes on Tuesday between nine and "
    "eleven, and he needs the papers from last winter."
)


def conflict(api, gateway, number, **members):
    """Both sides change the same members of a task: `member=(mine, theirs)`."""
    gateway.ask("PATCH", f"/v1/objects/tasks/{number}", {name: mine for name, (mine, _) in members.items()})
    api.edit("tasks", number, **{name: theirs for name, (_, theirs) in members.items()})
    gateway.ask("POST", "/v1/pull", {})
    gateway.wait("/v1/conflicts", lambda answer: any(item["uri"] == f"tasks/{number}" for item in answer["items"]))


def refusal(gateway, number, **members):
    """The server refuses an edit of a task."""
    gateway.ask("PATCH", f"/v1/objects/tasks/{number}", members)
    gateway.ask("POST", "/v1/push", {})
    gateway.wait("/v1/rejected", lambda answer: any(item["uri"] == f"tasks/{number}" for item in answer["items"]))


def doubt(api, gateway, text):
    """A note is created on the server, and the answer is lost. Gives its address here."""
    api.lose = 1
    gateway.ask("POST", "/v1/objects/notes", {"text": text, "pinned": False})
    gateway.ask("POST", "/v1/push", {})
    return gateway.wait("/v1/unknown", lambda answer: answer["items"])["items"][0]["uri"]


def picture(red, green, blue, side=160):
    """A PNG: a disc of one colour before a light ground."""
    import struct
    import zlib

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b""
    for y in range(side):
        row = [
            (red, green, blue) if (x - side / 2) ** 2 + (y - side / 2) ** 2 < (side * 0.4) ** 2 else (236, 240, 243)
            for x in range(side)
        ]
        rows += b"\0" + bytes(value for pixel in row for value in pixel)
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
