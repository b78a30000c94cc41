#!/bin/sh
# Version: sseclient-py 1.9.0, httpx 0.28.1 and httpx-sse 0.4.3 (PyPI), Python 3.10 or later
# Guessed: what a connection leaves of an event when it ends is dropped, as the standard has it (HTML, 9.2.6: an event that no
# blank line ends is discarded). A client then sees the end of the stream, and can ask again from the last id.
# Really: sseclient-py hands the rest out as if it were an event, with its id, so that a log line or a chunk that a restart of
# the server cut in half looks complete, and the position of a client that resumes is behind it; httpx-sse drops it:
#   sseclient-py: 1 step 998 of 1000, 2 step 99
#   httpx-sse: 1 step 998 of 1000
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check sseclient-py==1.9.0 httpx==0.28.1 httpx-sse==0.4.3 >&2
cat > read.py <<'END'
import httpx, httpx_sse, sseclient

CHUNKS = [b"id: 1\ndata: step 998 of 1000\n\n", b"id: 2\ndata: step 99"]

class Source(httpx.SyncByteStream):
    def __iter__(self):
        return iter(CHUNKS)

def show(name, events):
    print(f"{name}:", ", ".join(f"{event.id} {event.data}" for event in events))

show("sseclient-py", sseclient.SSEClient(Source()).events())
response = httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Source())
show("httpx-sse", httpx_sse.EventSource(response).iter_sse())
END
environment/bin/python read.py | tee output
cat > expected <<'END'
sseclient-py: 1 step 998 of 1000, 2 step 99
httpx-sse: 1 step 998 of 1000
END
cmp output expected
