#!/bin/sh
# Version: kubernetes 37.0.1 and websockets 17.4 (PyPI), Python 3.10 or later
# Guessed: the output of a command that `stream` runs in a Pod is the text that the command wrote, however the API server cuts it
# into messages; it cuts where its buffer ends.
# Really: the client decodes each message by itself and puts U+FFFD where a character was cut, without an error. A log or a table
# with names that are not ASCII changes at random places; the bytes that arrive are right:
#   sent: Größe
#   text: Gr??ße
#   binary=True: Größe
# It matters for output of more than a few kilobytes: ask for bytes with `binary=True`, and decode them once they are complete.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check kubernetes==37.0.1 websockets==17.4 >&2
cat > run.py <<'END'
import asyncio, json, threading
from kubernetes import client
from kubernetes.stream import stream
from websockets.asyncio.server import serve

TEXT = "Größe"
STDOUT, STATUS = b"\x01", b"\x03"
ports = []
listening = threading.Event()

async def run(connection):
    output = TEXT.encode()
    await connection.send(STDOUT + output[:3])
    await connection.send(STDOUT + output[3:])
    await connection.send(STATUS + json.dumps({"metadata": {}, "status": "Success"}).encode())

async def listen():
    async with serve(run, "127.0.0.1", 0, subprotocols=["v4.channel.k8s.io"]) as server:
        ports.append(server.sockets[0].getsockname()[1])
        listening.set()
        await asyncio.Future()

threading.Thread(target=asyncio.run, args=(listen(),), daemon=True).start()
listening.wait()
host = f"http://127.0.0.1:{ports[0]}"
api = client.CoreV1Api(client.ApiClient(client.Configuration(host=host)))

def output(**options):
    return stream(api.connect_get_namespaced_pod_exec, "pod", "default", command=["ls"], stdout=True, **options)

print("sent:", TEXT)
print("text:", output().replace("\ufffd", "?"))
print("binary=True:", output(binary=True).decode())
END
environment/bin/python run.py | tee output
cat > expected <<'END'
sent: Größe
text: Gr??ße
binary=True: Größe
END
cmp output expected
