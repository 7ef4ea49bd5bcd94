"""What nobody should get through with: attack.py ATMOS FOLDER [STREAMS]

A body of 1 GiB with the token and without, thousands of event streams, foreign pages and names, a wrong token; what is
measured is the memory of the gateway. FOLDER holds a route file with the entity `tasks`.
"""
import socket
import sys

from gateway import Gateway


def raw(gateway, head, body_bytes=0):
    """Sends a head and so many bytes, or as many as are taken; the first line of the answer, and how many were taken."""
    connection = socket.create_connection(("127.0.0.1", gateway.port), timeout=30)
    sent, piece = 0, b" " * (1 << 20)
    try:
        connection.sendall(head.encode())
        while sent < body_bytes:
            connection.sendall(piece)
            sent += len(piece)
    except OSError:
        pass
    try:
        answer = connection.recv(65536)
    except OSError:
        answer = b""
    connection.close()
    return answer.split(b"\r\n")[0].decode(), sent


def main(gateway, streams):
    gateway.start()
    gateway.ask("GET", "/v1/status")
    begun = gateway.memory()[0]
    host = f"Host: 127.0.0.1:{gateway.port}\r\n"
    token = f"Authorization: Bearer {gateway.token}\r\n"
    problems = []

    def expect(what, line, *statuses):
        print(f"{what}: {line}")
        if not any(line.startswith(f"HTTP/1.1 {status}") for status in statuses):
            problems.append(what)

    length, kind = f"Content-Length: {1 << 30}\r\n", "Content-Type: application/json\r\n"
    for what, head in (
        ("1 GiB of JSON", "POST /v1/objects/tasks HTTP/1.1\r\n" + host + token + length + kind + "\r\n"),
        ("1 GiB without the token", "POST /v1/objects/tasks HTTP/1.1\r\n" + host + length + kind + "\r\n"),
    ):
        line, sent = raw(gateway, head, 1 << 30)
        # Whoever goes on sending after the refusal may see the end of the connection in its place.
        if line or sent > 64 << 20:
            expect(f"{what} ({sent >> 20} MiB taken)", line, 413, 401)
        else:
            print(f"{what} ({sent >> 20} MiB taken): the connection was closed")
    waiting = "POST /v1/objects/tasks HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n" + kind
    for what, head, status in (
        ("a rebound name", "GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n" + token, 421),
        ("two names", "GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n" + host + token, 421),
        ("no name", "GET /v1/status HTTP/1.1\r\n" + token, 421),
        ("a foreign page", "GET /v1/status HTTP/1.1\r\nOrigin: https://evil.example\r\n" + host + token, 403),
        ("a wrong token", "GET /v1/status HTTP/1.1\r\nAuthorization: Bearer x\r\n" + host, 401),
        ("a body to be asked for, a wrong token", waiting + "Authorization: Bearer x\r\n" + host, 401),
        ("a body to be asked for", waiting + host + token, 100),
        ("a form", "POST /v1/objects/tasks HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n" + host + token, 415),
        ("a chunk without a length", "POST /v1/objects/tasks HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + kind + host + token, 400),
        ("a way out", "GET /v1/objects/tasks/..%2f..%2fetc%2fpasswd HTTP/1.1\r\n" + host + token, 404),
        ("dots", "GET /v1/../../etc/passwd HTTP/1.1\r\n" + host + token, 400),
        ("a long head", "GET /v1/status HTTP/1.1\r\nX: " + "x" * 100_000 + "\r\n" + host + token, 400),
    ):
        line, _ = raw(gateway, head + "Connection: close\r\n\r\n{}")
        expect(what, line, status)
    memory = gateway.memory()
    print(f"memory: {begun} KiB at first, {memory[0]} KiB now, {memory[1]} KiB at the most")
    if memory[1] - begun > 64 << 10:
        problems.append("memory")

    opened, accepted, refused = [], 0, 0
    for _ in range(streams):
        connection = socket.create_connection(("127.0.0.1", gateway.port), timeout=5)
        try:
            connection.sendall(("GET /v1/events HTTP/1.1\r\n" + host + token + "\r\n").encode())
            line = connection.recv(12).decode()
        except OSError:
            line = ""
        if line.endswith("200"):
            accepted += 1
            opened.append(connection)
        else:
            refused += 1
            connection.close()
    status, _ = gateway.ask("GET", "/v1/status")
    memory = gateway.memory()
    print(f"{streams} event streams: {accepted} accepted, {refused} refused; {memory[0]} KiB now, {memory[1]} KiB at the most")
    if accepted > 256 or status != 200 or memory[1] - begun > 128 << 10:
        problems.append("event streams")
    for connection in opened:
        connection.close()
    if gateway.end() != 0:
        problems.append("the end")
    print("refused all of it" if not problems else f"wrong: {', '.join(problems)}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    with Gateway(sys.argv[1], sys.argv[2], "--connections", "1024") as gateway:
        main(gateway, int(sys.argv[3]) if len(sys.argv) > 3 else 10_000)
