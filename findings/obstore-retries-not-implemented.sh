#!/bin/sh
# Version: obstore 0.12.1 and boto3 1.40.61 (PyPI), Python 3.10 or later, Linux x86-64
# Guessed: an answer that no other try can change is final, so a PUT that the store answers with 501 NotImplemented is sent
# once, as boto3 sends it.
# Really: the client takes it for a failure that passes, and sends the upload again, with all of its bytes, until
# its tries are used up. It matters with a store that has no tags or ACLs, which S3 answers with 501:
#   obstore: 11 requests
#   boto3: 1 request
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check obstore==0.12.1 boto3==1.40.61 >&2
cat > upload.py <<'END'
import http.server, threading
import boto3, botocore.exceptions, obstore
from obstore.store import S3Store

requests = []
REPLY = b"<Error><Code>NotImplemented</Code><Message>Tags are not offered.</Message></Error>"

class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        requests.append(self.path)
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(501)
        self.send_header("content-type", "application/xml")
        self.send_header("content-length", str(len(REPLY)))
        self.end_headers()
        self.wfile.write(REPLY)

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
key = {"aws_access_key_id": "id", "aws_secret_access_key": "secret"}

def with_obstore():
    client = {"allow_http": True}
    store = S3Store("bucket", endpoint=address, region="us-east-1", client_options=client, **key)
    obstore.put(store, "a", b"x", tags={"team": "vision"}, use_multipart=False)

def with_boto3():
    client = boto3.client("s3", endpoint_url=address, region_name="us-east-1", **key)
    client.put_object(Bucket="bucket", Key="a", Body=b"x", Tagging="team=vision")

for name, upload, refusal in (
    ("obstore", with_obstore, obstore.exceptions.BaseError),
    ("boto3", with_boto3, botocore.exceptions.ClientError),
):
    requests.clear()
    try:
        upload()
        raise SystemExit("the upload succeeded")
    except refusal:
        pass
    print(f"{name}: {len(requests)} request{'s' if len(requests) > 1 else ''}")
END
environment/bin/python upload.py | tee output
cat > expected <<'END'
obstore: 11 requests
boto3: 1 request
END
cmp output expected
