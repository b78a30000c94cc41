#!/bin/sh
# Version: ollama 0.6.3, huggingface_hub 2.4.0 and openai 3.57.0 (PyPI), Python 3.10 or later
# Guessed: a stream of JSON lines or of server-sent events is cut at line feeds and carriage returns alone. JSON may hold the
# separators U+2028 and U+0085 as they are, and a server that does not escape what is not ASCII sends them so.
# Really: two clients read lines with httpx, which cuts at each character that Python's `splitlines` knows. The first such
# character that a model writes ends the answer with an error in the middle:
#   plain: ollama one two, huggingface_hub one two, openai one two
#   U+2028: ollama JSONDecodeError, huggingface_hub JSONDecodeError, openai one two
#   U+0085: ollama JSONDecodeError, huggingface_hub JSONDecodeError, openai one two
# It matters if you write the server: escape these characters in JSON, which changes nothing for the other clients.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check ollama==0.6.3 huggingface_hub==2.4.0 openai==3.57.0 >&2
cat > read.py <<'END'
import http.server, json, threading
import huggingface_hub, ollama, openai

SEPARATORS = {"plain": " ", "U+2028": "\u2028", "U+0085": "\x85"}
MESSAGES = [{"role": "user", "content": "hello"}]

class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = f"one{SEPARATORS[request['model']]}two"
        self.send_response(200)
        if self.path == "/api/chat":
            self.send_header("content-type", "application/x-ndjson")
            self.end_headers()
            self.write("", {"model": "m", "message": {"role": "assistant", "content": text}, "done": True})
        else:
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            choice = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
            self.write("data: ", {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})
            self.wfile.write(b"\ndata: [DONE]\n\n")

    def write(self, prefix, value):
        self.wfile.write(f"{prefix}{json.dumps(value, ensure_ascii=False)}\n".encode())

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
of_ollama = ollama.Client(host=address)
of_hub = huggingface_hub.InferenceClient(base_url=address, api_key="key")
of_openai = openai.OpenAI(base_url=f"{address}/v1", api_key="key", max_retries=0)

def with_ollama(model):
    return [part["message"]["content"] for part in of_ollama.chat(model, messages=MESSAGES, stream=True)]

def with_hub(model):
    return [part.choices[0].delta.content for part in of_hub.chat_completion(MESSAGES, model=model, stream=True)]

def with_openai(model):
    stream = of_openai.chat.completions.create(model=model, messages=MESSAGES, stream=True)
    return [part.choices[0].delta.content for part in stream]

def words(read, name):
    try:
        return "".join(read(name)).replace(SEPARATORS[name], " ")
    except Exception as error:
        return type(error).__name__

for name in SEPARATORS:
    print(f"{name}: ollama {words(with_ollama, name)}, huggingface_hub {words(with_hub, name)}, openai {words(with_openai, name)}")
END
environment/bin/python read.py | tee output
cat > expected <<'END'
plain: ollama one two, huggingface_hub one two, openai one two
U+2028: ollama JSONDecodeError, huggingface_hub JSONDecodeError, openai one two
U+0085: ollama JSONDecodeError, huggingface_hub JSONDecodeError, openai one two
END
cmp output expected
