#!/bin/sh
# Version: runpod 1.12.0 (PyPI), Python 3.10 or later, Linux
# Guessed: a worker sends an error that its handler gives as an object alike, whether the handler returns it or yields it, so
# that a client finds the code and the message of an OpenAI error in it.
# Really: what a handler returns arrives as JSON, and what it yields as the text that Python prints of a dictionary, with
# single quotes and None, which no parser of JSON reads:
#   returned: {"message": "too long", "code": 400, "param": null}
#   yielded: "{'message': 'too long', 'code': 400, 'param': None}"
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check runpod==1.12.0 >&2
cat > worker.py <<'END'
import sys
import runpod

ERROR = {"error": {"message": "too long", "code": 400, "param": None}}

def returns(job):
    return ERROR

def yields(job):
    yield ERROR

runpod.serverless.start({"handler": {"returned": returns, "yielded": yields}[sys.argv[1]]})
END
cat > watch.py <<'END'
import http.server, json, os, subprocess, sys, threading

class Service(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        takes = "job-take" in self.path and not self.server.is_taken
        self.server.is_taken |= takes
        body = b'{"id": "job", "input": {"a": 1}}' if takes else b""
        self.send_response(200 if takes or "ping" in self.path else 204)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if "job-done" in self.path:
            self.server.result = json.loads(body)
            self.server.is_done.set()
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass

for kind in ("returned", "yielded"):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.is_taken, server.result, server.is_done = False, None, threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    worker = subprocess.Popen(
        [sys.executable, "worker.py", kind],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={
            "PATH": os.environ["PATH"],
            "HOME": os.getcwd(),
            "RUNPOD_AI_API_KEY": "key",
            "RUNPOD_POD_ID": "worker",
            "RUNPOD_WEBHOOK_GET_JOB": base + "/job-take/worker?gpu=none",
            "RUNPOD_WEBHOOK_POST_OUTPUT": base + "/job-done/worker/$ID",
            "RUNPOD_WEBHOOK_POST_STREAM": base + "/job-stream/worker/$ID",
            "RUNPOD_WEBHOOK_PING": base + "/ping/worker",
        },
    )
    try:
        server.is_done.wait(120)
    finally:
        os.killpg(worker.pid, 9)
    print(f"{kind}: {json.dumps((server.result or {}).get('error'))}")
END
environment/bin/python watch.py | tee output
cat > expected <<'END'
returned: {"message": "too long", "code": 400, "param": null}
yielded: "{'message': 'too long', 'code': 400, 'param': None}"
END
cmp output expected
