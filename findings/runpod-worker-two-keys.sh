#!/usr/bin/env bash
# Version: runpod 1.12.0 (PyPI), Python 3.10 or later, Linux
# Guessed: a worker sends the key of its environment (RUNPOD_AI_API_KEY) with all of its requests.
# Really: where ~/.runpod/config.toml has a key, as `runpod config` writes it on a developer's laptop, the worker takes its
# jobs with that key and sends its pings with the environment's, so that a service sees two identities in one process:
#   jobs: key-of-the-file
#   pings: key-of-the-environment
# It matters if you run a handler outside its container: give the process a home folder of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check runpod==1.12.0 >&2
mkdir -p home/.runpod
printf '[default]\napi_key = "key-of-the-file"\n' > home/.runpod/config.toml
cat > worker.py <<'END'
import runpod

runpod.serverless.start({"handler": lambda job: job["input"]})
END
cat > watch.py <<'END'
import http.server, os, subprocess, sys, threading

keys, both = {}, threading.Event()

class Service(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind = "pings" if self.path.startswith("/ping") else "jobs"
        keys.setdefault(kind, self.headers["Authorization"])
        if len(keys) == 2:
            both.set()
        self.send_response(200 if kind == "pings" else 204)
        self.end_headers()

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
worker = subprocess.Popen(
    [sys.executable, "-u", "worker.py"],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
    start_new_session=True,
    env={
        **os.environ,
        "HOME": os.path.abspath("home"),
        "RUNPOD_AI_API_KEY": "key-of-the-environment",
        "RUNPOD_POD_ID": "worker",
        "RUNPOD_WEBHOOK_GET_JOB": base + "/job-take/worker",
        "RUNPOD_WEBHOOK_POST_OUTPUT": base + "/job-done/worker",
        "RUNPOD_WEBHOOK_PING": base + "/ping/worker",
    },
)
try:
    both.wait(120)
finally:
    os.killpg(worker.pid, 9)
for kind in ("jobs", "pings"):
    print(f"{kind}: {keys.get(kind, 'no request')}")
END
environment/bin/python watch.py | tee output
cat > expected <<'END'
jobs: key-of-the-file
pings: key-of-the-environment
END
cmp output expected
