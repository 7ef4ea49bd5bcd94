"""The server of ZaCloud: server.py DATABASE PORT [--lease SECONDS], with its users in ZACLOUD_USERS ("ada:secret ben:secret")

Everything is a GET with a query, answers have status 200 and are lists, values are texts, and no time is 0000-00-00 00:00:00.
Who edits a note has a lease of it, by this server's clock. It prints its address.
"""
import argparse
import datetime
import hashlib
import json
import os
import secrets
import sqlite3
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

NO_TIME = "0000-00-00 00:00:00"
MOST = {"id": 64, "title": 200, "note": 4000, "author": 100, "password": 200, "device": 100}


class Refusal(Exception):
    """Answered with status 200; `reason` is for programs, `message` for people."""

    def __init__(self, reason, message):
        super().__init__(message)
        self.answer = [{"status": "false", "reason": reason, "message": message}]


class BadRequest(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def text(moment):
    """In UTC; a moment within a second is the next one."""
    if not moment:
        return NO_TIME
    return datetime.datetime.fromtimestamp(-(-moment // 1), datetime.timezone.utc).isoformat(" ")[:19]


def moment(words):
    try:
        found = datetime.datetime.fromisoformat(words.replace("Z", "+00:00"))
        seconds = found.replace(tzinfo=found.tzinfo or datetime.timezone.utc).timestamp()
        if 0 <= seconds < 253402300799:
            return seconds
    except (ValueError, OverflowError):
        pass
    raise BadRequest(400, f"{words[:40]} is no time: yyyy-MM-dd HH:mm:ss")


def hashed(password, salt):
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)


class Notes:
    """One request at a time, each in a transaction."""

    def __init__(self, path, lease, users):
        self.lock, self.lease = threading.Lock(), lease
        self.file = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.file.row_factory = sqlite3.Row
        self.file.executescript("""
            CREATE TABLE IF NOT EXISTS users (author TEXT PRIMARY KEY, salt BLOB, hash BLOB);
            CREATE TABLE IF NOT EXISTS sessions (token BLOB PRIMARY KEY, author TEXT, device TEXT);
            CREATE TABLE IF NOT EXISTS notes (
                id TEXT PRIMARY KEY, author TEXT, title TEXT, note TEXT, createDate INTEGER, lastModified INTEGER,
                updateDevice TEXT, isDeleted INTEGER DEFAULT 0, lockingDevice TEXT DEFAULT '', lockingTime REAL DEFAULT 0);
            """)
        for author, password in users:
            salt = secrets.token_bytes(16)
            self.file.execute("INSERT OR IGNORE INTO users VALUES (?, ?, ?)", [author, salt, hashed(password, salt)])

    def answer(self, page, query):
        with self.lock:
            self.file.execute("BEGIN IMMEDIATE")
            try:
                if page == "login.php":
                    return self.login(**self.checked(query, "author", "password", "device"))
                given = hashlib.sha256(query.pop("token", "").encode()).digest()
                session = self.file.execute("SELECT author, device FROM sessions WHERE token = ?", [given]).fetchone()
                if not session:
                    raise Refusal("login", "sign in first")
                self.author, self.device, self.now = *session, time.time()
                return self.pages[page](self, query)
            finally:
                self.file.execute("COMMIT")

    def checked(self, query, *names):
        for name in names:
            if name not in query:
                raise BadRequest(400, f"{name} is missing")
            if len(query[name]) > MOST.get(name, 40):
                raise Refusal("invalid", f"{name} has more than {MOST[name]} characters" if name in MOST else f"{name} is too long")
        return {name: query[name] for name in names}

    def login(self, author, password, device):
        user = self.file.execute("SELECT salt, hash FROM users WHERE author = ?", [author]).fetchone()
        salt, known = user or (b"nobody", b"")
        if not secrets.compare_digest(hashed(password, salt), known):
            raise Refusal("login", "the name or the password is wrong")
        token = secrets.token_urlsafe(24)
        self.file.execute("INSERT INTO sessions VALUES (?, ?, ?)", [hashlib.sha256(token.encode()).digest(), author, device])
        return [{"status": "true", "token": token}]

    # What is there

    def shown(self, row):
        """A lease of the device that asks is none to it."""
        is_locked = row["lockingTime"] > self.now and row["lockingDevice"] != self.device
        return {
            **{name: row[name] for name in ("id", "title", "note", "author", "updateDevice")},
            "createDate": text(row["createDate"]), "lastModified": text(row["lastModified"]), "isDeleted": str(row["isDeleted"]),
            "locked": str(int(is_locked)), "lockingDevice": row["lockingDevice"] if is_locked else "",
            "lockingTime": text(row["lockingTime"] if is_locked else 0)}

    def new_notes(self, query):
        """One by its identifier, or what has changed since; a lease that was given or has ended is a change, too."""
        condition, value = ("id = ?", query["id"]) if "id" in query else (
            "MAX(lastModified, lockingTime) >= ?", moment(query.get("lastModified", "1990-01-01 00:00:00")))
        rows = self.file.execute(
            f"SELECT * FROM notes WHERE author = ? AND isDeleted = 0 AND {condition} ORDER BY createDate, id", [self.author, value])
        return [self.shown(row) for row in rows]

    def deletions(self, query):
        rows = self.file.execute(
            "SELECT * FROM notes WHERE author = ? AND isDeleted = 1 AND lastModified >= ? ORDER BY id",
            [self.author, moment(query.get("lastModified", "1990-01-01 00:00:00"))])
        return [{"id": row["id"], "lastModified": text(row["lastModified"])} for row in rows]

    # What changes it

    def note(self, number):
        row = self.file.execute("SELECT * FROM notes WHERE id = ? AND author = ?", [number, self.author]).fetchone()
        if not row or row["isDeleted"]:
            raise Refusal("gone", "there is no such note")
        return row

    def leased(self, number):
        """The note, where the device that asks has the lease of it."""
        row = self.note(number)
        if row["lockingTime"] <= self.now:
            raise Refusal("locked", "nobody has the edit lease of the note; ask locking.php for it")
        self.refuse_others(row)
        return row

    def refuse_others(self, row):
        if row["lockingTime"] > self.now and row["lockingDevice"] != self.device:
            raise Refusal("locked", f"{row['lockingDevice']} edits it until {text(row['lockingTime'])}")

    def set(self, number, **values):
        names = ", ".join(f"{name} = ?" for name in values)
        self.file.execute(f"UPDATE notes SET {names} WHERE id = ?", [*values.values(), number])

    def insert(self, query):
        note = self.written(self.checked(query, "id", "title", "note", "createDate"))
        if self.file.execute("SELECT 1 FROM notes WHERE id = ?", [note["id"]]).fetchone():
            raise Refusal("exists", "the note is there already")
        self.file.execute(
            "INSERT INTO notes (id, author, title, note, createDate, lastModified, updateDevice) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [note["id"], self.author, note["title"], note["note"], int(moment(note["createDate"])), int(self.now), self.device])

    def update(self, query):
        note = self.written(self.checked(query, "id", "title", "note"))
        self.leased(note["id"])
        self.set(note["id"], title=note["title"], note=note["note"], lastModified=int(self.now), updateDevice=self.device)

    def written(self, note):
        if not note["id"] or not note["title"].strip():
            raise Refusal("invalid", "a note needs a title")
        return note

    def deletion(self, query):
        number = self.leased(self.checked(query, "id")["id"])["id"]
        self.set(number, isDeleted=1, title="", note="", lastModified=int(self.now), lockingDevice="", lockingTime=0)

    def locking(self, query):
        """Gives, renews and ends a lease: for as long as from `currentTime` to `lockingTime`, which are the client's, but no
        longer than a lease lasts. When that is over this server's clock alone says."""
        asked = self.checked(query, "id", "currentTime", "lockingTime")
        length = moment(asked["lockingTime"]) - moment(asked["currentTime"])
        row = self.note(asked["id"])
        self.refuse_others(row)
        if length > 0:
            self.set(row["id"], lockingDevice=self.device, lockingTime=self.now + min(length, self.lease))
        elif row["lockingTime"] > self.now:
            self.set(row["id"], lockingTime=self.now)

    pages = {"insert.php": insert, "update.php": update, "deletion.php": deletion, "locking.php": locking,
             "newNotes.php": new_notes, "syncDeletionRecords.php": deletions}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, content):
        content = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        url = urlsplit(self.path)
        page = url.path.removeprefix("/")
        try:
            if page != "login.php" and page not in Notes.pages:
                raise BadRequest(404, "there is no such page")
            if self.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in self.headers:
                self.close_connection = True
                raise BadRequest(413, "everything is in the query")
            query = dict(parse_qsl(url.query, keep_blank_values=True, errors="strict", max_num_fields=20))
            found = self.server.notes.answer(page, query)
            self.answer(200, [{"status": "true"}] if found is None else found)
        except Refusal as refusal:
            self.answer(200, refusal.answer)
        except BadRequest as error:
            self.answer(error.status, [{"status": "false", "reason": "invalid", "message": str(error)}])
        except ValueError:
            self.answer(400, [{"status": "false", "reason": "invalid", "message": "the query cannot be read"}])

    def other(self):
        self.close_connection = True
        self.answer(405, [{"status": "false", "reason": "invalid", "message": "everything is a GET"}])

    do_POST = do_PUT = do_PATCH = do_DELETE = other

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("database")
    parser.add_argument("port", type=int)
    parser.add_argument("--lease", type=float, default=120, help="how many seconds a lease lasts")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    server.daemon_threads = True
    users = [each.split(":", 1) for each in os.environ["ZACLOUD_USERS"].split()]
    server.notes = Notes(options.database, options.lease, users)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
