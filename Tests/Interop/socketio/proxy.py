"""An HTTP proxy that only tunnels, and that a test can cut: proxy.py [USER:PASSWORD]

Prints `ready URL/`. Takes lines: `cut` ends all tunnels, `refuse` answers 403 from then on, `allow` takes tunnels again;
each is answered with `done N`, where N counts the tunnels that were made. Ends with its input.
"""
import asyncio
import base64
import sys

credentials = sys.argv[1] if len(sys.argv) > 1 else None
tunnels, made, refuses = set(), 0, False


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()


async def serve(reader, writer):
    global made
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    lines = head.split("\r\n")
    method, target = lines[0].split(" ")[:2]
    wanted = "Proxy-Authorization: Basic " + base64.b64encode((credentials or "").encode()).decode()
    if method != "CONNECT" or refuses or (credentials and wanted not in lines):
        writer.write(b"HTTP/1.1 407 No\r\n\r\n" if credentials and not refuses else b"HTTP/1.1 403 No\r\n\r\n")
        writer.close()
        return
    host, port = target.rsplit(":", 1)
    try:
        far_reader, far_writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except OSError:
        writer.write(b"HTTP/1.1 502 No\r\n\r\n")
        writer.close()
        return
    if refuses:
        # Said while the far side was connected to: no tunnel outlives `refuse` and `cut`.
        far_writer.close()
        writer.write(b"HTTP/1.1 403 No\r\n\r\n")
        writer.close()
        return
    made += 1
    writer.write(b"HTTP/1.1 200 Go on\r\n\r\n")
    pair = (writer, far_writer)
    tunnels.add(pair)
    await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer), return_exceptions=True)
    tunnels.discard(pair)


async def main():
    global refuses
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(f"ready http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        word = line.strip()
        refuses = word == "refuse" or (refuses and word != "allow")
        if word == "cut":
            for pair in list(tunnels):
                for writer in pair:
                    writer.transport.abort()
        print(f"done {made}", flush=True)


asyncio.run(main())
