#!/bin/sh
# Version: huggingface_hub 2.4.0 and openai 3.57.0 (PyPI), Python 3.10 or later
# Guessed: a client of completions joins the `data` lines of an event by a line feed, as the standard has it (HTML, 9.2.6), so
# that a server may send a chunk as indented JSON.
# Really: huggingface_hub takes each line for a chunk of its own and fails on the first; openai reads the event:
#   openai: a b
#   huggingface_hub: JSONDecodeError
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check huggingface_hub==2.4.0 openai==3.57.0 >&2
cat > read.py <<'END_OF_PROGRAM'
import http.server, json, threading
from huggingface_hub import InferenceClient
from openai import OpenAI

def event(text):
    choice = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return "".join(f"data: {line}\n" for line in json.dumps(chunk, indent=1).splitlines()) + "\n"

class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write((event("a") + event("b") + "data: [DONE]\n\n").encode())

    def log_message(self, *arguments):
        pass

def read(client):
    words = []
    try:
        for chunk in client.chat.completions.create(model="m", messages=[], stream=True):
            words.append(chunk.choices[0].delta.content)
    except Exception as error:
        words.append(type(error).__name__)
    return " ".join(words)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/v1"
print("openai:", read(OpenAI(base_url=address, api_key="key", max_retries=0)))
print("huggingface_hub:", read(InferenceClient(base_url=address, api_key="key")))
END_OF_PROGRAM
environment/bin/python read.py | tee output
cat > expected <<'END_OF_OUTPUT'
openai: a b
huggingface_hub: JSONDecodeError
END_OF_OUTPUT
cmp output expected
