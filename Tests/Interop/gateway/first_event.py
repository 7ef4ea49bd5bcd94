"""Ends a stream of events behind its first one, for clients that read an answer to its end: first_event.py URL

Prints its own URL, and passes every request on to URL. Of an answer of events it gives what has come within a second, or
up to the end of the first event; every other answer is given whole. Ends with its input.
"""
import http.client
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

address = urllib.parse.urlsplit(sys.argv[1]).netloc


def first_event(answer, connection):
    content = b""
    connection.sock.settimeout(1)
    try:
        while b"\n\n" not in content and (more := answer.read1(65536)):
            content += more
    except TimeoutError:
        pass
    return content


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        connection = http.client.HTTPConnection(address, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
        connection.request(self.command, self.path, body or None, headers)
        answer = connection.getresponse()
        is_stream = (answer.getheader("Content-Type") or "").startswith("text/event-stream")
        content = first_event(answer, connection) if is_stream else answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "content-length", "date", "server", "transfer-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
        connection.close()

    def __getattr__(self, name):
        # Whatever the method is, it is passed on.
        if name.startswith("do_"):
            return self.do_GET
        raise AttributeError(name)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}", flush=True)
sys.stdin.read()
