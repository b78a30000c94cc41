#!/bin/sh
# Version: orjson 3.13.0, msgspec 0.23.0 and ujson 6.1.0 (PyPI), Python 3.10 or later
# Guessed: an integer of JSON that has more than 64 bits is read exactly, as the standard library reads it, or is refused.
# Really: orjson makes a float of it, without an error, and writes other digits back. A hash, a seed or an id of 128 bits that is
# sent as a number changes on its way through a service; the other fast readers keep it:
#   json: 18446744073709551617
#   msgspec: 18446744073709551617
#   ujson: 18446744073709551617
#   orjson: 1.8446744073709552e+19
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check orjson==3.13.0 msgspec==0.23.0 ujson==6.1.0 >&2
cat > read.py <<'END'
import json
import msgspec, orjson, ujson

NUMBER = "18446744073709551617"

print("json:", json.dumps(json.loads(NUMBER)))
print("msgspec:", msgspec.json.encode(msgspec.json.decode(NUMBER)).decode())
print("ujson:", ujson.dumps(ujson.loads(NUMBER)))
print("orjson:", orjson.dumps(orjson.loads(NUMBER)).decode())
END
environment/bin/python read.py | tee output
cat > expected <<'END'
json: 18446744073709551617
msgspec: 18446744073709551617
ujson: 18446744073709551617
orjson: 1.8446744073709552e+19
END
cmp output expected
