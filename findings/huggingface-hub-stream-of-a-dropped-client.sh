#!/bin/sh
# Version: huggingface_hub 2.4.0 and openai 3.57.0 (PyPI), Python 3.10 or later
# Guessed: a stream of completions can be read to its end once it was returned, whether or not the program still has the client
# that asked for it, as a generator keeps what it needs.
# Really: the Hugging Face client closes its connections when it is collected, and the stream does not keep it. A function that
# makes a client and returns its stream gives one that fails at the first word:
#   client kept: huggingface_hub one two, openai one two
#   client dropped: huggingface_hub StreamClosed, openai one two
# It matters for each helper that makes a client for a call: keep the client beside the stream.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check huggingface_hub==2.4.0 openai==3.57.0 >&2
cat > read.py <<'END'
import http.server, json, threading
import huggingface_hub, openai

MESSAGES = [{"role": "user", "content": "hello"}]

class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for text in ["one ", "two"]:
            choice = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
            chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"

def hub():
    client = huggingface_hub.InferenceClient(base_url=address, api_key="key")
    return client, client.chat_completion(MESSAGES, model="m", stream=True)

def of_openai():
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="key", max_retries=0)
    return client, client.chat.completions.create(model="m", messages=MESSAGES, stream=True)

def read(start, keeps):
    client, stream = start()
    if not keeps:
        del client
    try:
        return "".join(part.choices[0].delta.content for part in stream)
    except Exception as error:
        return type(error).__name__

for name, keeps in ("kept", True), ("dropped", False):
    print(f"client {name}: huggingface_hub {read(hub, keeps)}, openai {read(of_openai, keeps)}")
END
environment/bin/python read.py | tee output
cat > expected <<'END'
client kept: huggingface_hub one two, openai one two
client dropped: huggingface_hub StreamClosed, openai one two
END
cmp output expected
