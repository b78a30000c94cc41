#!/bin/sh
# Version: openai 3.57.0, httpx-sse 0.4.3 with httpx 0.28.1, and sseclient-py 1.9.0 (PyPI), Python 3.10 or later; openai 6.49.0
# (npm), Node 20 or later
# Guessed: a byte order mark at the start of a stream of server-sent events is skipped, as the standard has it (HTML, 9.2.5).
# Really: the readers for Python take the mark for a part of the first field's name, and lose the first event without an error:
# the first words of a completion are missing. The client for Node skips the mark:
#   openai for Python: b
#   httpx-sse: b
#   sseclient-py: b
#   openai for Node: a b
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit openai@6.49.0 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check \
  openai==3.57.0 httpx==0.28.1 httpx-sse==0.4.3 sseclient-py==1.9.0 >&2
cat > read.mjs <<'END_OF_PROGRAM'
import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.argv[2], apiKey: "key", maxRetries: 0 });
const words = [];
for await (const chunk of await client.chat.completions.create({ model: "m", messages: [], stream: true })) {
  words.push(chunk.choices[0].delta.content);
}
console.log("openai for Node:", ...words);
END_OF_PROGRAM
cat > read.py <<'END_OF_PROGRAM'
import http.server, json, subprocess, threading
import httpx, sseclient
from httpx_sse import connect_sse
from openai import OpenAI

def event(text):
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n"

STREAM = ("\ufeff" + event("a") + event("b")).encode()

class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(STREAM)

    def log_message(self, *arguments):
        pass

def word(data):
    return json.loads(data)["choices"][0]["delta"]["content"]

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/v1"
client = OpenAI(base_url=address, api_key="key", max_retries=0)
chunks = client.chat.completions.create(model="m", messages=[], stream=True)
print("openai for Python:", *(chunk.choices[0].delta.content for chunk in chunks))
with httpx.Client() as http_client, connect_sse(http_client, "POST", address, json={}) as source:
    print("httpx-sse:", *(word(each.data) for each in source.iter_sse()))
print("sseclient-py:", *(word(each.data) for each in sseclient.SSEClient(iter([STREAM])).events()), flush=True)
subprocess.run(["node", "read.mjs", address], check=True)
END_OF_PROGRAM
environment/bin/python read.py | tee output
cat > expected <<'END_OF_OUTPUT'
openai for Python: b
httpx-sse: b
sseclient-py: b
openai for Node: a b
END_OF_OUTPUT
cmp output expected
