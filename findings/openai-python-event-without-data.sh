#!/bin/sh
# Version: openai 3.57.0 (PyPI), Python 3.10 or later; openai 6.49.0 (npm), Node 20 or later
# Guessed: a stream of completions may hold what server-sent events allow between events: a `retry` line, comments that keep
# the connection alive, ids. The standard (HTML, 9.2.6) dispatches nothing where an event has no data.
# Really: the client for Python makes an event of each blank line once a `retry` or an id was read, and fails on its empty
# data. A server that numbers its events breaks the stream with its first comment. The client for Node reads both streams:
#   Python: comment a b, retry JSONDecodeError, id and comment a JSONDecodeError
#   Node: comment a b, retry a b, id and comment a b
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit openai@6.49.0 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check openai==3.57.0 >&2
cat > read.mjs <<'END'
import OpenAI from "openai";

const [baseURL, ...models] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: "key", maxRetries: 0 });
const read = async (model) => {
  const words = [model];
  try {
    const stream = await client.chat.completions.create({ model, messages: [], stream: true });
    for await (const chunk of stream) words.push(chunk.choices[0].delta.content);
  } catch (error) {
    words.push(error.constructor.name);
  }
  return words.join(" ");
};
const streams = [];
for (const model of models) streams.push(await read(model));
console.log("Node:", streams.join(", "));
END
cat > read.py <<'END'
import http.server, json, subprocess, threading
from openai import OpenAI

def event(text):
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n"

STREAMS = {
    "comment": event("a") + ": ping\n\n" + event("b"),
    "retry": "retry: 3000\n\n" + event("a") + event("b"),
    "id and comment": "id: 1\n" + event("a") + ": ping\n\n" + "id: 2\n" + event("b"),
}

class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write((STREAMS[request["model"]] + "data: [DONE]\n\n").encode())

    def log_message(self, *arguments):
        pass

def read(model):
    words = [model]
    try:
        for chunk in client.chat.completions.create(model=model, messages=[], stream=True):
            words.append(chunk.choices[0].delta.content)
    except Exception as error:
        words.append(type(error).__name__)
    return " ".join(words)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/v1"
client = OpenAI(base_url=address, api_key="key", max_retries=0)
print("Python:", ", ".join(map(read, STREAMS)), flush=True)
subprocess.run(["node", "read.mjs", address, *STREAMS], check=True)
END
environment/bin/python read.py | tee output
cat > expected <<'END'
Python: comment a b, retry JSONDecodeError, id and comment a JSONDecodeError
Node: comment a b, retry a b, id and comment a b
END
cmp output expected
