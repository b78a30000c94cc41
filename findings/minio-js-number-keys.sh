#!/bin/sh
# Version: minio 8.0.7 (npm), Node 20 or later; minio 7.2.20 (PyPI), Python 3.10 or later
# Guessed: the names of objects in a list are texts, as they were written.
# Really: the client for Node makes a number of a name that looks like one, and a text of the number: the shard `00017` of a data
# set is listed as `17`, and reading what was listed fails or reads another object. The client for Python keeps the names:
#   Python: 00017 0x1F 1e3 part-00017
#   Node: 17 31 1e3 part-00017
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit minio@8.0.7 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check minio==7.2.20 >&2
cat > list.mjs <<'END'
import { Client } from "minio";

const [port] = process.argv.slice(2);
const connection = { endPoint: "127.0.0.1", port: Number(port), useSSL: false, region: "us-east-1" };
const names = [];
for await (const { name } of new Client({ ...connection, accessKey: "key", secretKey: "secret" }).listObjectsV2("data")) {
  names.push(name);
}
console.log("Node:", ...names);
END
cat > list.py <<'END'
import http.server, subprocess, threading
from minio import Minio

NAMES = ["00017", "0x1F", "1e3", "part-00017"]
ENTRY = (
    "<Contents><Key>%s</Key><LastModified>2027-01-01T00:00:00.000Z</LastModified>"
    "<ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass></Contents>"
)
ANSWER = (
    '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
    "<Name>data</Name><Prefix/><KeyCount>4</KeyCount><MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType>"
    "<IsTruncated>false</IsTruncated>%s</ListBucketResult>"
) % "".join(ENTRY % name for name in NAMES)

class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "application/xml")
        self.end_headers()
        self.wfile.write(ANSWER.encode())

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = Minio(f"127.0.0.1:{server.server_port}", access_key="key", secret_key="secret", secure=False, region="us-east-1")
print("Python:", *(entry.object_name for entry in client.list_objects("data", recursive=True)), flush=True)
subprocess.run(["node", "list.mjs", str(server.server_port)], check=True)
END
environment/bin/python list.py | tee output
cat > expected <<'END'
Python: 00017 0x1F 1e3 part-00017
Node: 17 31 1e3 part-00017
END
cmp output expected
