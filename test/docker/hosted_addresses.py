# What a container reaches under the hosted service's addresses, and what it does not; prints one JSON object.
import glob
import http.client
import json
import os
import socket
import sys
from urllib.parse import urlsplit

import requests

endpoint, elsewhere, own_port = sys.argv[1:]
proxy = urlsplit(os.environ["HTTPS_PROXY"])


def attempt(call):
    try:
        return call()
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"


def connect(authority):
    """The status of a CONNECT, and what comes back through the tunnel."""
    with socket.create_connection((proxy.hostname, proxy.port)) as tunnel:
        tunnel.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
        answer = http.client.HTTPResponse(tunnel, method="CONNECT")
        answer.begin()
        if answer.status != 200:
            return answer.status
        tunnel.sendall(b"hello")
        return tunnel.recv(5).decode()


key = {"authorization": os.environ["RUNPOD_API_KEY"]}
results = {
    "api": attempt(lambda: requests.get("https://api.runpod.io/healthz").json()),
    "rest": attempt(lambda: requests.get("https://rest.runpod.io/v1/pods", headers=key).status_code),
    "job": attempt(
        lambda: requests.post(f"https://api.runpod.ai/v2/{endpoint}/runsync", headers=key, json={"input": {"n": 1}}).json()
    ),
    "load balancer": attempt(lambda: requests.get("https://a1b2c3d4e5f6g7.api.runpod.ai/", headers=key).json()),
    "console": attempt(lambda: requests.get("https://console.runpod.io/")),
    "without the proxy": attempt(lambda: socket.create_connection(("api.runpod.io", 443))),
    "elsewhere": attempt(lambda: connect(elsewhere)),
    "the machine": attempt(lambda: connect(f"127.0.0.1:{own_port}")),
    "a private address": attempt(lambda: connect(f"{proxy.hostname}:{proxy.port}")),
    "a name of the machine": attempt(lambda: connect(f"localhost:{own_port}")),
    "its own service": attempt(lambda: requests.get(os.environ["RUNPOD_API_BASE_URL"] + "/healthz").json()),
    "keys": [name for name in glob.glob("/etc/freehold/*") if "PRIVATE" in open(name).read()],
    "files": sorted(glob.glob("/etc/freehold/*")),
}
print(json.dumps(results), flush=True)
