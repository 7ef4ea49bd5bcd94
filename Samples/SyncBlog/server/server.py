"""A blog that synchronizes through one endpoint: server.py DATABASE PORT. It prints its address.

POST /sync {"modified_entities": [{"post": {"guid", "updated_at"?, "is_deleted"?, ...}}], "last_sync_time": seconds?}
-> {"modified_entities": [...], "conflicted_entities": [...], both as in the request}

A post is taken where its `updated_at` is the one that the server has (none for a new post); else the server's stands among the
conflicted ones. Tombstones stay for ever. Pictures go to POST /pictures, and have an address of their own by their bytes.
"""
import datetime
import hashlib
import json
import math
import re
import sqlite3
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LARGEST_BODY = 16 << 20
MEMBERS = ("guid", "title", "body", "written", "picture")
KINDS = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}


class Refusal(Exception):
    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Blog:
    def __init__(self, path):
        self.lock = threading.Lock()
        self.file = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.file.execute("CREATE TABLE IF NOT EXISTS posts (guid TEXT PRIMARY KEY, record TEXT, updated REAL)")
        self.file.execute("CREATE TABLE IF NOT EXISTS pictures (name TEXT PRIMARY KEY, content BLOB)")

    def post(self, guid):
        row = self.file.execute("SELECT record FROM posts WHERE guid = ?", [guid]).fetchone()
        return row and json.loads(row[0])

    def changed_since(self, moment):
        rows = self.file.execute("SELECT record FROM posts WHERE updated >= ? ORDER BY updated, guid", [moment])
        return [json.loads(row[0]) for row in rows]

    def next_time(self):
        """In whole seconds, and another one for each change."""
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        last = self.file.execute("SELECT MAX(updated) FROM posts").fetchone()[0]
        if last is not None:
            now = max(now, datetime.datetime.fromtimestamp(last + 1, datetime.timezone.utc))
        return now.isoformat().replace("+00:00", "Z")

    def take(self, given):
        """The post as it is now, and whether it conflicts."""
        guid = given.get("guid") if isinstance(given, dict) else None
        if not isinstance(guid, str) or not re.fullmatch("[A-Za-z0-9-]{1,100}", guid):
            raise Refusal(422, "a post has a guid of letters, digits and -")
        known = self.post(guid)
        if known and (known["updated_at"] != given.get("updated_at")):
            # What is sent again after a lost answer is no conflict.
            same = all(known.get(name) == given[name] for name in (*MEMBERS, "is_deleted") if name in given)
            return known, not same
        record = {**(known or {}), **{name: given[name] for name in MEMBERS if name in given}}
        record["is_deleted"] = given.get("is_deleted") is True
        record["updated_at"] = self.next_time()
        self.file.execute(
            "INSERT INTO posts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET record = excluded.record, updated = excluded.updated",
            [record["guid"], json.dumps(record), seconds(record["updated_at"])])
        return record, False

    def sync(self, body):
        if not isinstance(body, dict) or not isinstance(body.get("modified_entities", []), list):
            raise Refusal(400, "the body has modified_entities, a list")
        try:
            since = float(body.get("last_sync_time", 0))
        except (TypeError, ValueError, OverflowError):
            since = math.nan
        if not math.isfinite(since):
            raise Refusal(400, "last_sync_time is a number of seconds")
        taken, conflicted = {}, []
        for each in body.get("modified_entities", []):
            record, is_conflict = self.take(each.get("post") if isinstance(each, dict) else None)
            if is_conflict:
                conflicted.append(record)
            else:
                taken[record["guid"]] = record
        conflicts = {each["guid"] for each in conflicted}
        others = [each for each in self.changed_since(since) if each["guid"] not in conflicts | taken.keys()]
        wrapped = lambda records: [{"post": each} for each in records]
        return {"modified_entities": wrapped([*taken.values(), *others]), "conflicted_entities": wrapped(conflicted)}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, content, kind="application/json"):
        if not isinstance(content, bytes):
            content = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def body(self):
        length = self.headers.get("Content-Length") or "0"
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > LARGEST_BODY:
            self.close_connection = True
            raise Refusal(413, "the body is too large")
        return self.rfile.read(int(length))

    def route(self):
        blog, body = self.server.blog, self.body()
        if (self.command, self.path) == ("POST", "/sync"):
            try:
                body = json.loads(body)
            except (ValueError, RecursionError):
                raise Refusal(400, "the body is no JSON") from None
            with blog.lock:
                return self.answer(200, blog.sync(body))
        if (self.command, self.path) == ("POST", "/pictures"):
            name = hashlib.sha256(body).hexdigest()
            with blog.lock:
                blog.file.execute("INSERT OR IGNORE INTO pictures VALUES (?, ?)", [name, body])
            return self.answer(201, {"url": f"{self.server.base}/pictures/{name}"})
        match = re.fullmatch("/pictures/([0-9a-f]{64})", self.path)
        if match and self.command == "GET":
            with blog.lock:
                row = blog.file.execute("SELECT content FROM pictures WHERE name = ?", [match[1]]).fetchone()
            if row:
                kind = next((kind for head, kind in KINDS.items() if row[0].startswith(head)), "application/octet-stream")
                return self.answer(200, row[0], kind)
        raise Refusal(404, "there is no such path")

    def handle_one(self):
        try:
            self.route()
        except Refusal as refusal:
            self.answer(refusal.status, {"error": str(refusal)})

    do_GET = do_POST = handle_one

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler)
    server.daemon_threads = True
    server.blog, server.base = Blog(sys.argv[1]), f"http://127.0.0.1:{server.server_port}"
    print(server.base, flush=True)
    server.serve_forever()
