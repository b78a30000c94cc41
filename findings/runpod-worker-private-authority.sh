#!/usr/bin/env bash
# Version: runpod 1.12.0 with aiohttp 3.14.5 and requests 2.34.2 (PyPI), Python 3.10 or later, openssl, Linux
# Guessed: one variable, SSL_CERT_FILE or REQUESTS_CA_BUNDLE, makes a worker trust a private authority.
# Really: a worker takes its jobs with aiohttp, which reads the first, and sends its pings with requests, which reads the
# second. With one of them a worker does half of its work: it takes jobs and looks dead, or pings and never takes a job.
#   SSL_CERT_FILE: jobs
#   REQUESTS_CA_BUNDLE: pings
#   SSL_CERT_FILE and REQUESTS_CA_BUNDLE: jobs and pings
# It matters if you serve workers over TLS with an authority of your own: set both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check runpod==1.12.0 aiohttp==3.14.5 requests==2.34.2 >&2
openssl req -x509 -newkey rsa:2048 -nodes -keyout authority.key -out authority.pem -days 2 -subj /CN=authority \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=server 2>/dev/null
printf 'subjectAltName=IP:127.0.0.1\n' > names
openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 -extfile names \
  -out server.pem 2>/dev/null
mkdir home
cat > worker.py <<'END'
import runpod

runpod.serverless.start({"handler": lambda job: job["input"]})
END
cat > watch.py <<'END'
import http.server, os, ssl, subprocess, sys, threading

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("server.pem", "server.key")

class Server(http.server.ThreadingHTTPServer):
    def finish_request(self, request, address):
        try:
            request = context.wrap_socket(request, server_side=True)
        except OSError:
            self.note("refused")  # The client does not trust the certificate.
            return
        super().finish_request(request, address)

    def handle_error(self, request, address):
        pass

    def note(self, what):
        with self.changed:
            self.counts[what] = self.counts.get(what, 0) + 1
            self.changed.notify_all()

class Service(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind = "pings" if self.path.startswith("/ping") else "jobs"
        self.server.note(kind)
        self.send_response(200 if kind == "pings" else 204)
        self.end_headers()

    def log_message(self, *_):
        pass

for variables in (["SSL_CERT_FILE"], ["REQUESTS_CA_BUNDLE"], ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"]):
    server = Server(("127.0.0.1", 0), Service)
    server.counts, server.changed = {}, threading.Condition()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"https://127.0.0.1:{server.server_port}"
    inherited = {name: text for name, text in os.environ.items() if "CERT" not in name and "CA_BUNDLE" not in name}
    worker = subprocess.Popen(
        [sys.executable, "-u", "worker.py"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={
            **inherited,
            **{name: os.path.abspath("authority.pem") for name in variables},
            "HOME": os.path.abspath("home"),
            "RUNPOD_AI_API_KEY": "key",
            "RUNPOD_POD_ID": "worker",
            "RUNPOD_PING_INTERVAL": "1000",
            "RUNPOD_WEBHOOK_GET_JOB": base + "/job-take/worker",
            "RUNPOD_WEBHOOK_POST_OUTPUT": base + "/job-done/worker",
            "RUNPOD_WEBHOOK_PING": base + "/ping/worker",
        },
    )
    # Each way of asking is seen twice: it gets through, or is refused.
    with server.changed:
        server.changed.wait_for(
            lambda: min(server.counts.get("jobs", 0), server.counts.get("pings", 0)) >= 2
            or server.counts.get("refused", 0) >= 4
            and max(server.counts.get("jobs", 0), server.counts.get("pings", 0)) >= 4,
            120,
        )
    os.killpg(worker.pid, 9)
    server.shutdown()
    got = [kind for kind in ("jobs", "pings") if server.counts.get(kind)]
    print(f"{' and '.join(variables)}: {' and '.join(got)}")
END
environment/bin/python watch.py | tee output
cat > expected <<'END'
SSL_CERT_FILE: jobs
REQUESTS_CA_BUNDLE: pings
SSL_CERT_FILE and REQUESTS_CA_BUNDLE: jobs and pings
END
cmp output expected
