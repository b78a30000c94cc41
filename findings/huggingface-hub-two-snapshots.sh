#!/bin/sh
# Version: huggingface_hub 2.4.0 (PyPI), Python 3.10 or later; @huggingface/hub 2.17.5 (npm), Node 20 or later
# Guessed: the clients for Python and Node share a cache of models: what one has downloaded at `main` the other finds in the
# same folder, with HF_HUB_OFFLINE without a request.
# Really: the client for Python names a snapshot for the commit of the revision, the client for Node for the last commit that
# changed the file. Files of one revision lie in several folders for it, though each was in one, and a folder without the
# other files of the model is what a loader gets. It asks the hub each time and does not know HF_HUB_OFFLINE; a commit as
# the revision is found without a request:
#   Python: bbbbbbb/config.json bbbbbbb/weights.bin
#   Node, main: aaaaaaa/config.json bbbbbbb/weights.bin, 2 requests
#   Node, commit: bbbbbbb/config.json bbbbbbb/weights.bin, 0 requests
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit @huggingface/hub@2.17.5 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check huggingface_hub==2.4.0 >&2
cat > read.mjs <<'END'
import { downloadFileToCacheDir } from "@huggingface/hub";

const [hubUrl, revision, ...paths] = process.argv.slice(2);
for (const path of paths) {
  console.log(await downloadFileToCacheDir({ repo: "acme/tiny", path, revision, hubUrl, cacheDir: "cache" }));
}
END
cat > read.py <<'END'
import hashlib, http.server, json, os, subprocess, threading
from huggingface_hub import hf_hub_download

FIRST, SECOND = "a" * 40, "b" * 40
FILES = {"config.json": b"{}", "weights.bin": b"weights"}
CHANGED_IN = {"config.json": FIRST, "weights.bin": SECOND}
requests = []

def description(path):
    blob = FILES[path]
    oid = hashlib.sha1(b"blob %d\0" % len(blob) + blob).hexdigest()
    commit = {"id": CHANGED_IN[path], "title": "change", "date": "2027-01-01T00:00:00.000Z"}
    return {"type": "file", "path": path, "size": len(blob), "oid": oid, "lastCommit": commit}

class Hub(http.server.BaseHTTPRequestHandler):
    def answer(self):
        requests.append(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {"x-repo-commit": SECOND}
        if "/paths-info/" in self.path:
            content = json.dumps([description(path) for path in json.loads(body)["paths"]]).encode()
            headers["content-type"] = "application/json"
        else:
            path = self.path.rsplit("/", 1)[1]
            content = FILES[path]
            headers["etag"] = f'"{description(path)["oid"]}"'
        self.send_response(200)
        for name, value in {**headers, "content-length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_HEAD = do_POST = answer

    def log_message(self, *arguments):
        pass

def show(places):
    return " ".join(f"{commit[:7]}/{name}" for commit, name in (place.split("/")[-2:] for place in places))

def read_in_node(revision):
    requests.clear()
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    command = ["node", "read.mjs", address, revision, *FILES]
    places = subprocess.check_output(command, env=environment, text=True).split()
    return f"{show(places)}, {len(requests)} requests"

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
print("Python:", show([hf_hub_download("acme/tiny", name, cache_dir="cache", endpoint=address) for name in FILES]))
print("Node, main:", read_in_node("main"))
print("Node, commit:", read_in_node(SECOND))
END
environment/bin/python read.py | tee output
cat > expected <<'END'
Python: bbbbbbb/config.json bbbbbbb/weights.bin
Node, main: aaaaaaa/config.json bbbbbbb/weights.bin, 2 requests
Node, commit: bbbbbbb/config.json bbbbbbb/weights.bin, 0 requests
END
cmp output expected
