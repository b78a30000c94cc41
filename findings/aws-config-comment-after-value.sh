#!/bin/sh
# Version: botocore 1.44.8 (PyPI), Python 3.10 or later; @smithy/shared-ini-file-loader 4.7.2 (npm), Node 20 or later
# Guessed: a line of ~/.aws/config means the same to the SDK for Python, with AWS's command line, and to the SDK for JavaScript,
# which share the file.
# Really: JavaScript ends a value at ` #` or ` ;`, and Python has the comment as a part of it. An address with a note beside
# it works in one and is an invalid endpoint in the other, and a region is refused by its name:
#   Python: us-east-1 # lab, http://127.0.0.1:8702 ; store
#   Node: us-east-1, http://127.0.0.1:8702
# It matters for each file that both read: write a comment on a line of its own.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit @smithy/shared-ini-file-loader@4.7.2 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check botocore==1.44.8 >&2
printf '[default]\nregion = us-east-1 # lab\nendpoint_url = http://127.0.0.1:8702 ; store\n' > config
cat > read.py <<'END'
import botocore.session

profile = botocore.session.Session().full_config["profiles"]["default"]
print(f"Python: {profile['region']}, {profile['endpoint_url']}")
END
cat > read.mjs <<'END'
import { loadSharedConfigFiles } from "@smithy/shared-ini-file-loader";

const { configFile } = await loadSharedConfigFiles({ configFilepath: "config", filepath: "/dev/null" });
console.log(`Node: ${configFile.default.region}, ${configFile.default.endpoint_url}`);
END
{ AWS_CONFIG_FILE=config AWS_SHARED_CREDENTIALS_FILE=/dev/null environment/bin/python read.py; node read.mjs; } | tee output
cat > expected <<'END'
Python: us-east-1 # lab, http://127.0.0.1:8702 ; store
Node: us-east-1, http://127.0.0.1:8702
END
cmp output expected
