"""The same server as others write it with python-socketio: POST /all and /users, on uvicorn."""
import json

import socketio

# With the default of 20 s broadcasts without a pause keep it from reading pongs, and it closes its clients' connections.
io = socketio.AsyncServer(async_mode="asgi", ping_interval=25, ping_timeout=600)


@io.event
async def connect(sid, environ, auth):
    await io.enter_room(sid, f"u{int(auth['token'].rsplit('-', 1)[1])}")


async def app(scope, receive, send):
    if scope["type"] != "http" or scope["path"].startswith("/socket.io"):
        return await socket_app(scope, receive, send)
    body = b""
    while True:
        part = await receive()
        body += part.get("body", b"")
        if not part.get("more_body"):
            break
    message = json.loads(body)
    if scope["path"] == "/all":
        await io.emit("notification", message["data"])
    else:
        await io.emit("notification", message["data"], room=message["to"])
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


socket_app = socketio.ASGIApp(io)
