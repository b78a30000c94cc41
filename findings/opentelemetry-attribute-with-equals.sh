#!/bin/sh
# Version: @opentelemetry/resources 3.1.0 (npm), Node 20 or later; opentelemetry-sdk 1.45.2 (PyPI), Python 3.10 or later
# Guessed: one setting of OTEL_RESOURCE_ATTRIBUTES gives the spans of programs in Node and Python the same attributes, an
# address with a query among them.
# Really: the SDK for Node drops all attributes where a value holds an equals sign, and says nothing unless a logger for
# diagnostics is set; the SDK for Python keeps it in the value. Both read the sign written as %3D:
#   team=ml,page=/runs?id=4: Node {}, Python {"team": "ml", "page": "/runs?id=4"}
#   team=ml,page=/runs?id%3D4: Node {"team": "ml", "page": "/runs?id=4"}, Python {"team": "ml", "page": "/runs?id=4"}
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit @opentelemetry/resources@3.1.0 @opentelemetry/api@1.10.0 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check opentelemetry-sdk==1.45.2 >&2
cat > read.mjs <<'END'
import { envDetector } from "@opentelemetry/resources";

console.log(JSON.stringify(envDetector.detect().attributes));
END
cat > read.py <<'END'
import json, os, subprocess
from opentelemetry.sdk.resources import OTELResourceDetector

for text in ["team=ml,page=/runs?id=4", "team=ml,page=/runs?id%3D4"]:
    os.environ["OTEL_RESOURCE_ATTRIBUTES"] = text
    node = json.loads(subprocess.check_output(["node", "read.mjs"]))
    python = dict(OTELResourceDetector().detect().attributes)
    print(f"{text}: Node {json.dumps(node)}, Python {json.dumps(python)}")
END
environment/bin/python read.py | tee output
cat > expected <<'END'
team=ml,page=/runs?id=4: Node {}, Python {"team": "ml", "page": "/runs?id=4"}
team=ml,page=/runs?id%3D4: Node {"team": "ml", "page": "/runs?id=4"}, Python {"team": "ml", "page": "/runs?id=4"}
END
cmp output expected
