"""A stand-in for CloudKit, as far as RPic needs it: cloudkit.py DATABASE PORT, with its API token in CLOUDKIT_TOKEN

Made after Apple's CloudKit Web Services Reference; not compared with Apple's servers. It has one public database, in which
anybody reads, who is signed in creates, and who has created a record changes it. It prints the database's address.
"""
import hashlib
import hmac
import json
import os
import re
import secrets
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

DATABASE, PORT = sys.argv[1], int(sys.argv[2])
BASE = "/database/1/iCloud.rpic/development/public"
LARGEST_BODY, LARGEST_ASSET = 1 << 20, 32 << 20
# What Apple's sign-in page gives in the end, and whom it is for.
USERS = {"web-token-of-anna": "_anna", "web-token-of-ben": "_ben"}
TABLES = """
    CREATE TABLE IF NOT EXISTS records (name TEXT PRIMARY KEY, type TEXT, fields TEXT, tag INTEGER, creator TEXT, created INTEGER);
    CREATE TABLE IF NOT EXISTS places (key TEXT PRIMARY KEY, record TEXT, field TEXT);
    CREATE TABLE IF NOT EXISTS receipts (receipt TEXT PRIMARY KEY, record TEXT, field TEXT, checksum TEXT);
"""


class Refusal(Exception):
    def __init__(self, status, code, reason):
        super().__init__(reason)
        self.status, self.answer = status, {"serverErrorCode": code, "reason": reason}


def of_kind(kind, value, what):
    if not isinstance(value, kind):
        raise Refusal(400, "BAD_REQUEST", f"{what} is missing, or of another kind")
    return value


class Database:
    def __init__(self, path):
        self.lock, self.files = threading.Lock(), path + ".files"
        os.makedirs(self.files, exist_ok=True)
        self.file = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.file.executescript(TABLES)

    def row(self, name):
        return self.file.execute("SELECT * FROM records WHERE name = ?", [name]).fetchone()

    def shown(self, row, origin):
        name, kind, fields, tag, creator, created = row
        fields = json.loads(fields)
        for field in fields.values():
            if isinstance(field["value"], dict):
                # The file's name is left to the client, and the address is a new one each time.
                checksum = field["value"]["fileChecksum"]
                field["value"]["downloadURL"] = f"{origin}/assets/{checksum}/${{f}}?o={secrets.token_hex(4)}"
        return {"recordName": name, "recordType": kind, "fields": fields, "recordChangeTag": f"{tag:x}", "deleted": False,
                "created": {"timestamp": created, "userRecordName": creator}, "modified": {"timestamp": created + tag}}

    def query(self, body, origin):
        kind = of_kind(str, of_kind(dict, body.get("query"), "query").get("recordType"), "recordType")
        limit, marker = min(of_kind(int, body.get("resultsLimit", 200), "resultsLimit"), 200), body.get("continuationMarker", "")
        rows = self.file.execute("SELECT * FROM records WHERE type = ? AND name > ? ORDER BY name LIMIT ?",
                                 [kind, of_kind(str, marker, "continuationMarker"), limit + 1]).fetchall()
        more = {"continuationMarker": rows[limit - 1][0]} if len(rows) > limit else {}
        return {"records": [self.shown(row, origin) for row in rows[:limit]], **more}

    def look_up(self, body, origin):
        names = [of_kind(str, each.get("recordName"), "recordName") for each in of_kind(list, body.get("records"), "records")]
        missing = {"serverErrorCode": "NOT_FOUND", "reason": "Record not found"}
        found = {name: self.row(name) for name in names}
        return {"records": [self.shown(row, origin) if row else {"recordName": name, **missing} for name, row in found.items()]}

    def modify(self, body, user, origin):
        results = []
        for operation in of_kind(list, body.get("operations"), "operations"):
            record = of_kind(dict, operation.get("record"), "record")
            name = of_kind(str, record.get("recordName"), "recordName")
            try:
                results.append(self.perform(operation.get("operationType"), name, record, user, origin))
            except Refusal as refusal:
                results.append({"recordName": name, **refusal.answer})
        return {"records": results}

    def perform(self, kind, name, record, user, origin):
        row = self.row(name)
        fields = {key: {"value": of_kind(dict, field, key).get("value"), "type": field.get("type", "STRING")}
                  for key, field in record.get("fields", {}).items()}
        for key, field in fields.items():
            if isinstance(field["value"], dict):
                field.update(type="ASSETID", value=self.uploaded(name, key, field["value"]))
        if kind == "create":
            if row:
                raise Refusal(409, "EXISTS", "record to insert already exists")
            values = [name, of_kind(str, record.get("recordType"), "recordType"), json.dumps(fields), 1, user, int(time.time() * 1000)]
            self.file.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", values)
            return self.shown(self.row(name), origin)
        if not row:
            raise Refusal(404, "NOT_FOUND", "Record not found")
        if row[4] != user:
            raise Refusal(403, "ACCESS_DENIED", "only who has created a record may change it")
        if record.get("recordChangeTag") != f"{row[3]:x}":
            raise Refusal(409, "CONFLICT", "oplock error")
        if kind == "delete":
            self.file.execute("DELETE FROM records WHERE name = ?", [name])
            return {"recordName": name, "deleted": True}
        merged = {key: field for key, field in {**json.loads(row[2]), **fields}.items() if field["value"] is not None}
        self.file.execute("UPDATE records SET fields = ?, tag = tag + 1 WHERE name = ?", [json.dumps(merged), name])
        return self.shown(self.row(name), origin)

    # Assets: a place is asked for, the content goes there, and a receipt of it into the field.

    def places(self, body, origin):
        tokens = []
        for token in of_kind(list, body.get("tokens"), "tokens"):
            record, field = (of_kind(str, token.get(name), name) for name in ("recordName", "fieldName"))
            key = secrets.token_hex(16)
            self.file.execute("INSERT INTO places VALUES (?, ?, ?)", [key, record, field])
            tokens.append({"recordName": record, "fieldName": field, "url": f"{origin}/assets/{key}"})
        return {"tokens": tokens}

    def take(self, key, content):
        place = self.file.execute("SELECT record, field FROM places WHERE key = ?", [key]).fetchone()
        if not place:
            raise Refusal(404, "NOT_FOUND", "no such place")
        checksum, receipt = hashlib.sha256(content).hexdigest(), secrets.token_hex(8)
        with open(os.path.join(self.files, checksum), "wb") as file:
            file.write(content)
        self.file.execute("INSERT INTO receipts VALUES (?, ?, ?, ?)", [receipt, *place, checksum])
        return {"singleFile": {"fileChecksum": checksum, "size": len(content), "receipt": receipt}}

    def uploaded(self, record, field, asset):
        row = self.file.execute("SELECT record, field, checksum FROM receipts WHERE receipt = ?", [asset.get("receipt")]).fetchone()
        if row != (record, field, asset.get("fileChecksum")):
            raise Refusal(400, "BAD_REQUEST", f"the field {field} holds no asset that was uploaded for it")
        return {name: asset[name] for name in ("fileChecksum", "size")}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, content):
        is_json = not isinstance(content, bytes)
        content = json.dumps(content).encode() if is_json else content
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if is_json else "application/octet-stream")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def handle_one(self):
        try:
            url, length = urlsplit(self.path), self.headers.get("Content-Length") or "0"
            length = int(length) if re.fullmatch("[0-9]{1,9}", length) else LARGEST_ASSET + 1
            is_asset = url.path.startswith("/assets/")
            if length > (LARGEST_ASSET if is_asset else LARGEST_BODY):
                self.close_connection = True
                raise Refusal(413, "QUOTA_EXCEEDED", "too large")
            content = self.rfile.read(length)
            if len(content) < length:
                self.close_connection = True
                return
            self.answer(200, self.asset(url.path, content) if is_asset else self.result(url, content))
        except Refusal as refusal:
            self.answer(refusal.status, refusal.answer)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_GET = do_POST = handle_one

    def asset(self, path, content):
        if self.command == "POST":
            with self.server.database.lock:
                return self.server.database.take(path.split("/")[2], content)
        match = re.match(r"/assets/([0-9a-f]{64})/", path)
        try:
            with open(os.path.join(self.server.database.files, match[1]), "rb") as file:
                return file.read()
        except (OSError, TypeError):
            raise Refusal(404, "NOT_FOUND", "no such asset") from None

    def result(self, url, content):
        query = parse_qs(url.query)
        token = query.get("ckAPIToken", [""])[0]
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            raise Refusal(401, "AUTHENTICATION_FAILED", "the API token is wrong")
        endpoint, user = url.path.removeprefix(BASE + "/"), USERS.get(query.get("ckWebAuthToken", [""])[0])
        if endpoint not in ("records/query", "records/lookup") and not user:
            raise Refusal(421, "AUTHENTICATION_REQUIRED", "sign in")
        if endpoint == "users/caller":
            return {"userRecordName": user}
        try:
            body = of_kind(dict, json.loads(content), "body")
        except ValueError:
            raise Refusal(400, "BAD_REQUEST", "is no JSON") from None
        origin, database = f"http://127.0.0.1:{self.server.server_port}", self.server.database
        with database.lock:
            match endpoint:
                case "records/query": return database.query(body, origin)
                case "records/lookup": return database.look_up(body, origin)
                case "records/modify": return database.modify(body, user, origin)
                case "assets/upload": return database.places(body, origin)
        raise Refusal(404, "NOT_FOUND", "no such endpoint")

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    server.daemon_threads = True
    server.database, server.token = Database(DATABASE), os.environ["CLOUDKIT_TOKEN"]
    print(f"http://127.0.0.1:{server.server_port}{BASE}", flush=True)
    server.serve_forever()
