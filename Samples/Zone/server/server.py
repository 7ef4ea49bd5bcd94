"""The web service of Zone: server.py DATABASE PORT, with the token of its user in ZONE_TOKEN

Keeps projects, zones and invoices in an SQLite file, and prints reports of a week and invoices as PDF. It prints its address.
"""
import datetime
import hmac
import html
import io
import json
import os
import re
import sqlite3
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from reportlab.lib.pagesizes import A4
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table
from reportlab.lib.styles import getSampleStyleSheet

LARGEST_BODY = 1 << 20
LONGEST_NOTE = 500
MEMBERS = {"zones": ("project", "started", "ended", "note"), "invoices": ("project", "month")}


class Refusal(Exception):
    def __init__(self, status, **errors):
        super().__init__(status)
        self.status, self.errors = status, errors


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def hours(zones):
    """Of the zones that have ended."""
    return sum((moment(each["ended"]) - moment(each["started"])).total_seconds() for each in zones if each.get("ended")) / 3600


def week_of(zone):
    year, week, _ = moment(zone["started"]).isocalendar()
    return f"{year}-W{week:02}"


class Database:
    def __init__(self, path):
        self.lock = threading.Lock()
        self.file = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.file.execute(
            "CREATE TABLE IF NOT EXISTS objects (id INTEGER PRIMARY KEY, kind TEXT, record TEXT, updated TEXT, deleted INTEGER DEFAULT 0)")
        self.file.execute("CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, id INTEGER)")
        if not self.objects("projects"):
            for name, rate in (("Website", 80), ("Thesis", 0)):
                self.insert("projects", {"name": name, "rate": rate})

    def objects(self, kind, since=None):
        """All that are there; with a moment what has changed since, also what was deleted."""
        condition, values = ("updated >= ?", [since]) if since else ("deleted = 0", [])
        rows = self.file.execute(
            f"SELECT id, record, updated, deleted FROM objects WHERE kind = ? AND {condition} ORDER BY id", [kind, *values])
        return [self.shown(*row) for row in rows]

    def one(self, kind, number):
        row = self.file.execute(
            "SELECT id, record, updated, deleted FROM objects WHERE kind = ? AND id = ?", [kind, number]).fetchone()
        if row is None:
            raise Refusal(404)
        if row[3]:
            raise Refusal(410)
        return self.shown(*row)

    def shown(self, number, record, updated, deleted):
        return {"id": number, **json.loads(record), "updated": updated, **({"deleted": True} if deleted else {})}

    def now(self):
        """Later than any before, so that no reader misses a change."""
        last = self.file.execute("SELECT MAX(updated) FROM objects").fetchone()[0]
        now = datetime.datetime.now(datetime.timezone.utc)
        if last:
            now = max(now, moment(last) + datetime.timedelta(milliseconds=1))
        return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def insert(self, kind, record):
        return self.file.execute(
            "INSERT INTO objects (kind, record, updated) VALUES (?, ?, ?)", [kind, json.dumps(record), self.now()]).lastrowid

    def change(self, number, record, is_deleted=False):
        record = {name: value for name, value in record.items() if name not in ("id", "updated", "deleted")}
        self.file.execute(
            "UPDATE objects SET record = ?, updated = ?, deleted = ? WHERE id = ?",
            [json.dumps(record), self.now(), is_deleted, number])

    def create(self, kind, record, key):
        """Once for each key of a kind. A key that comes again gets what its object is now."""
        key = key and f"{kind} {key}"
        row = key and self.file.execute("SELECT id FROM keys WHERE key = ?", [key]).fetchone()
        if row:
            return self.one(kind, row[0])
        self.file.execute("BEGIN")
        number = self.insert(kind, record)
        if key:
            self.file.execute("INSERT INTO keys VALUES (?, ?)", [key, number])
        self.file.execute("COMMIT")
        return self.one(kind, number)

    # What follows from the zones

    def reports(self):
        weeks = {}
        for zone in self.objects("zones"):
            weeks.setdefault(week_of(zone), []).append(zone)
        return [{"id": week, "hours": round(hours(zones), 2), "pdf": max(each["updated"] for each in zones)}
                for week, zones in sorted(weeks.items())]

    def billed(self, invoice):
        return [each for each in self.objects("zones")
                if each["project"] == invoice["project"] and each["started"].startswith(invoice["month"])]

    def new_invoice(self, record):
        project = self.one("projects", record["project"])
        time = round(hours(self.billed(record)), 2)
        number = f"{record['month']}/{len(self.objects('invoices')) + 1}"
        return {**record, "number": number, "hours": time, "total": f"{time * project['rate']:.2f}", "issued": self.now(),
                "pdf": number}


def checked(database, kind, record):
    if not isinstance(record, dict):
        raise Refusal(422, base=["must be an object"])
    record = {name: record[name] for name in MEMBERS[kind] if name in record}
    if record.get("project") not in [each["id"] for each in database.objects("projects")]:
        raise Refusal(422, project=["must be one of the projects"])
    note = record.get("note")
    if note is not None and (not isinstance(note, str) or len(note) > LONGEST_NOTE):
        raise Refusal(422, note=[f"must be a text of {LONGEST_NOTE} characters at most"])
    try:
        if kind == "invoices":
            datetime.date.fromisoformat(record["month"] + "-01")
        elif record.get("ended") and moment(record["ended"]) < moment(record["started"]):
            raise Refusal(422, ended=["must not be before the start"])
        else:
            moment(record["started"])
    except (AttributeError, KeyError, TypeError, ValueError):
        raise Refusal(422, **{"month" if kind == "invoices" else "started": ["must be a time"]}) from None
    return record


def pdf(title, head, rows, foot):
    styles, file = getSampleStyleSheet(), io.BytesIO()
    text = lambda words, style="Normal": Paragraph(html.escape(str(words)), styles[style])
    table = Table([[text(cell) for cell in row] for row in [head, *rows]], colWidths=[110, 110, 60, 170], repeatRows=1)
    SimpleDocTemplate(file, pagesize=A4, title=title, pageCompression=0, invariant=1).build(
        [text(title, "Title"), table, Spacer(1, 12), text(foot, "Heading3")])
    return file.getvalue()


def rows(zones):
    return [[each["started"][:16].replace("T", " "), each["ended"][:16].replace("T", " "), f"{hours([each]):.2f}",
             each.get("note") or ""] for each in zones if each.get("ended")]


HEAD = ("from", "to", "hours", "note")


def report_pdf(database, week):
    zones = [each for each in database.objects("zones") if week_of(each) == week]
    if not zones:
        raise Refusal(404)
    return pdf(f"Week {week}", HEAD, rows(zones), f"{hours(zones):.2f} hours")


def invoice_pdf(database, number):
    invoice = database.one("invoices", number)
    project = database.one("projects", invoice["project"])
    foot = f"{invoice['hours']:.2f} hours at {project['rate']} EUR: {invoice['total']} EUR"
    return pdf(f"Invoice {invoice['number']}, {project['name']}", HEAD, rows(database.billed(invoice)), foot)


def page(database):
    """For whoever has no copy: the weeks, as the service sees them."""
    weeks = "".join(f"<li>{each['id']}: {each['hours']:.2f} hours" for each in database.reports())
    return f"<!doctype html><html lang=en><meta charset=utf-8><title>Zone</title><h1>Zone</h1><ul>{weeks}</ul>".encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, content=b"", kind="application/json"):
        if not isinstance(content, bytes):
            content = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        if content:
            self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(content)

    def body(self):
        length = self.headers.get("Content-Length") or "0"
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > LARGEST_BODY:
            self.close_connection = True
            raise Refusal(413)
        try:
            return json.loads(self.rfile.read(int(length))) if int(length) else None
        except (ValueError, RecursionError):
            raise Refusal(400, base=["is no JSON"]) from None

    def handle_one(self):
        try:
            body = self.body()
            given = self.headers.get("Authorization", "").encode()
            if not hmac.compare_digest(given, f"Bearer {self.server.token}".encode()):
                raise Refusal(401)
            with self.server.database.lock:
                self.route(self.server.database, urlsplit(self.path), body)
        except Refusal as refusal:
            self.answer(refusal.status, {"errors": refusal.errors})

    do_GET = do_POST = do_PATCH = do_DELETE = handle_one

    def route(self, database, url, body):
        if url.path == "/":
            return self.answer(200, page(database), "text/html; charset=utf-8")
        match = re.fullmatch(r"/api/(projects|zones|reports|invoices)(?:/([0-9]{1,18}|[0-9]{4}-W[0-9]{2})(/pdf)?)?", url.path)
        if not match:
            raise Refusal(404)
        kind, number, is_pdf = match.groups()
        if kind != "reports" and number:
            if not number.isdigit():
                raise Refusal(404)
            number = int(number)
        if is_pdf and kind in ("reports", "invoices") and self.command == "GET":
            return self.answer(200, (report_pdf if kind == "reports" else invoice_pdf)(database, number), "application/pdf")
        if kind == "reports" and self.command == "GET":
            found = [each for each in database.reports() if number in (None, each["id"])]
            if number and not found:
                raise Refusal(404)
            return self.answer(200, found[0] if number else {"items": found})
        if number is None and self.command == "GET":
            return self.answer(200, {"items": database.objects(kind, parse_qs(url.query).get("since", [None])[0])})
        if number is None and self.command == "POST" and kind in MEMBERS:
            record = checked(database, kind, body)
            if kind == "invoices":
                record = database.new_invoice(record)
            return self.answer(201, database.create(kind, record, self.headers.get("Idempotency-Key")))
        if number is None or kind == "reports":
            raise Refusal(405)
        if self.command == "GET":
            return self.answer(200, database.one(kind, number))
        if kind == "zones" and self.command == "PATCH":
            given = {**database.one(kind, number), **(body if isinstance(body, dict) else {})}
            database.change(number, checked(database, kind, given))
            return self.answer(200, database.one(kind, number))
        if kind in MEMBERS and self.command == "DELETE":
            database.change(number, database.one(kind, number), is_deleted=True)
            return self.answer(204)
        raise Refusal(405)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler)
    server.daemon_threads = True
    server.database, server.token = Database(sys.argv[1]), os.environ["ZONE_TOKEN"]
    print(f"http://127.0.0.1:{server.server_port}/api", flush=True)
    server.serve_forever()
