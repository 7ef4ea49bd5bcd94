"""A server with a certificate, whose publishers' keys change: tls.py URL CERTIFICATE PUBLISHERS-FILE OLD-KEY CLIENT-KEY

Prints one line for each check that does not hold, with exit status 1.
"""
import json
import os
import socket as socket_module
import ssl
import sys
import time

import requests
import socketio
import websocket

url, certificate, file, old, client_key = sys.argv[1:6]
failures = []


def check(name, condition, seen=None):
    if not condition:
        failures.append(f"{name}: {seen!r}")


def status(key):
    return requests.get(url + "/stats", headers={"authorization": "Bearer " + key}, verify=certificate, timeout=60).status_code


check("https", requests.get(url + "/healthz", verify=certificate, timeout=60).json()["status"] == "ok")
socket = websocket.create_connection(
    url.replace("https", "wss") + "/socket.io/?EIO=4&transport=websocket", timeout=60, sslopt={"ca_certs": certificate})
socket.recv()
socket.send("40" + json.dumps({"token": client_key}))
check("wss", socket.recv().startswith('40{"sid":') and socket.recv().startswith('42["ready"'))
socket.close()
os.environ["REQUESTS_CA_BUNDLE"] = certificate
client = socketio.Client(reconnection=False)
client.connect(url, auth={"token": client_key}, transports=["polling"], wait_timeout=60)
check("polling", client.connected)
client.disconnect()
try:
    requests.get(url.replace("https", "http") + "/healthz", timeout=5)
    check("plain HTTP is not answered", False)
except requests.exceptions.RequestException:
    pass
old_tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
old_tls.load_verify_locations(certificate)
old_tls.set_ciphers("ALL:@SECLEVEL=0")
old_tls.minimum_version, old_tls.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
host, port = url.split("//")[1].split(":")
try:
    old_tls.wrap_socket(socket_module.create_connection((host, int(port)), timeout=60), server_hostname=host).close()
    check("TLS 1.1 is refused", False)
except ssl.SSLError as error:
    check("by the server, and for its version", error.reason == "TLSV1_ALERT_PROTOCOL_VERSION", error)
new = "publisher-second-key"
check("the old key", status(old) == 200 and status(new) == 401)
with open(file, "w") as keys:
    keys.write(new + " backend\n")
end = time.monotonic() + 60
while status(new) != 200 and time.monotonic() < end:
    time.sleep(0.05)
check("the new key, without a restart", status(new) == 200 and status(old) == 401)
with open(file, "w") as keys:
    keys.write("broken\n")
time.sleep(2.5)
check("a broken file changes nothing", status(new) == 200)
if failures:
    print("\n".join(failures))
    sys.exit(1)
