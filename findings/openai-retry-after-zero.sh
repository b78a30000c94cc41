#!/bin/sh
# Version: openai 3.57.0 (PyPI), Python 3.10 or later; openai 6.49.0 (npm), Node 20 or later
# Guessed: the clients for Python and Node wait as long as the server asks for, that is not at all for `retry-after: 0`.
# Really: the client for Python takes 0 for no answer and waits its own back-off, which doubles from half a second, while the
# client for Node repeats the call at once. A server that has room again serves the fifth try after:
#   Python: more than 4 s
#   Node: less than 4 s
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit openai@6.49.0 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check openai==3.57.0 >&2
cat > call.mjs <<'END'
import OpenAI from "openai";

const [baseURL] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: "key", maxRetries: 4 });
await client.chat.completions.create({ model: "m", messages: [] });
END
cat > call.py <<'END'
import sys
from openai import OpenAI

client = OpenAI(base_url=sys.argv[1], api_key="key", max_retries=4)
client.chat.completions.create(model="m", messages=[])
END
cat > serve.py <<'END'
import http.server, subprocess, sys, threading, time

times = []

class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        times.append(time.monotonic())
        has_room = len(times) == 5
        self.send_response(200 if has_room else 429)
        self.send_header("content-type", "application/json")
        if not has_room:
            self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(b'{"id": "c", "choices": []}')

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
for name, command in {"Python": [sys.executable, "call.py"], "Node": ["node", "call.mjs"]}.items():
    times.clear()
    subprocess.run([*command, f"http://127.0.0.1:{server.server_port}/v1"], check=True)
    print(f"{name}:", "more" if times[-1] - times[0] > 4 else "less", "than 4 s")
END
environment/bin/python serve.py | tee output
cat > expected <<'END'
Python: more than 4 s
Node: less than 4 s
END
cmp output expected
