"""A server of python-socketio for our client: server.py asgi|wsgi [--port PORT] [--polling]

What the protocol's own suites ask for (see EchoServer.swift), beside these `die`, which ends the process at once, and
`publish NAME, DATA`, which emits to everyone. The tokens `wrong` and `crowded` are refused. Prints `ready URL/`; ends with its input.
"""
import argparse
import os
import socket
import threading

import socketio

parser = argparse.ArgumentParser()
parser.add_argument("kind", choices=["asgi", "wsgi"])
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--polling", action="store_true", help="offers no WebSocket")
arguments = parser.parse_args()


def watch_standard_input():
    while os.read(0, 4096):
        pass
    os._exit(0)


threading.Thread(target=watch_standard_input, daemon=True).start()
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", arguments.port))
listener.listen(64)  # Who connects from now on waits until it is served.
url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
settings = {"ping_interval": 1, "ping_timeout": 5}
if arguments.polling:
    settings["transports"] = ["polling"]

if arguments.kind == "asgi":
    server = socketio.AsyncServer(async_mode="asgi", namespaces=["/", "/custom"], **settings)

    async def connect(sid, namespace, auth):
        if (auth or {}).get("token") == "wrong":
            raise socketio.exceptions.ConnectionRefusedError("Unauthorized", {"reason": "try another"})
        if (auth or {}).get("token") == "crowded":
            raise socketio.exceptions.ConnectionRefusedError("Too busy", {"reason": "for a while"})
        await server.emit("auth", auth, to=sid, namespace=namespace)

    async def message(sid, namespace, *data):
        await server.emit("message-back", data, to=sid, namespace=namespace)

    async def ask(sid, namespace, *data):
        async def answered(*answer):
            await server.emit("answered", answer, to=sid, namespace=namespace)

        await server.emit("ask", (41, *data), to=sid, namespace=namespace, callback=answered)

    async def publish(sid, namespace, name, data):
        await server.emit(name, data, namespace=namespace)

    def bind(function, namespace):
        async def handler(sid, *data):
            return await function(sid, namespace, *data)

        return handler

    async def answer(sid, *data):
        return tuple(data)

else:
    server = socketio.Server(async_mode="threading", namespaces=["/", "/custom"], **settings)

    def connect(sid, namespace, auth):
        if (auth or {}).get("token") == "wrong":
            raise socketio.exceptions.ConnectionRefusedError("Unauthorized", {"reason": "try another"})
        if (auth or {}).get("token") == "crowded":
            raise socketio.exceptions.ConnectionRefusedError("Too busy", {"reason": "for a while"})
        server.emit("auth", auth, to=sid, namespace=namespace)

    def message(sid, namespace, *data):
        server.emit("message-back", data, to=sid, namespace=namespace)

    def ask(sid, namespace, *data):
        def answered(*answer):
            server.emit("answered", answer, to=sid, namespace=namespace)

        server.emit("ask", (41, *data), to=sid, namespace=namespace, callback=answered)

    def publish(sid, namespace, name, data):
        server.emit(name, data, namespace=namespace)

    def bind(function, namespace):
        return lambda sid, *data: function(sid, namespace, *data)

    def answer(sid, *data):
        return tuple(data)


def joined(function, namespace):
    if arguments.kind == "asgi":

        async def handler(sid, environ, auth=None):
            await function(sid, namespace, auth)

        return handler
    return lambda sid, environ, auth=None: function(sid, namespace, auth)


for namespace in ("/", "/custom"):
    server.on("connect", joined(connect, namespace), namespace=namespace)
    server.on("message", bind(message, namespace), namespace=namespace)
    server.on("ask-me", bind(ask, namespace), namespace=namespace)
    server.on("publish", bind(publish, namespace), namespace=namespace)
    server.on("message-with-ack", answer, namespace=namespace)
    server.on("die", lambda *_: os._exit(1), namespace=namespace)

print(f"ready {url}", flush=True)
if arguments.kind == "asgi":
    import uvicorn

    config = uvicorn.Config(socketio.ASGIApp(server), log_level="error", lifespan="off")
    uvicorn.Server(config).run(sockets=[listener])
else:
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Handler(WSGIRequestHandler):
        protocol_version = "HTTP/1.1"

        def log(self, *_):
            pass

    def missing(environ, start_response):
        start_response("404 Not Found", [("Content-Length", "0")])
        return [b""]

    make_server(
        "127.0.0.1", 0, socketio.WSGIApp(server, missing), threaded=True, request_handler=Handler, fd=listener.fileno()
    ).serve_forever()
