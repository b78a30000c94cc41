#!/bin/sh
# Version: python-hcl2 8.1.4 beside 6.1.1 (PyPI), Python 3
# Guessed: `hcl2.loads` gives the values of a Terraform file: a string without its quotes, a number as a number.
# Really: 8 keeps the quotes of every string, also of a block's labels, and the markers of a heredoc, and makes an expression of a
# number with an exponent, so that a lookup of a resource by its name finds nothing. 6 gave values:
#   6.1.1 {"gpu": "A40", "count": 1000.0, "resource": {"pod": {"cpu": 2}}}
#   8.1.4 {"gpu": "\"A40\"", "count": "${1e3}", "resource": {"\"pod\"": {"cpu": 2}}}
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.tf <<'END'
gpu   = "A40"
count = 1e3
resource "pod" {
  cpu = 2
}
END
cat > read.py <<'END'
import json
import sys
from importlib.metadata import version

import hcl2

document = hcl2.loads(open("main.tf").read())
(block,) = document["resource"]
for body in block.values():
    if isinstance(body, dict):
        body.pop("__is_block__", None)
print(version("python-hcl2"), json.dumps({**document, "resource": block}))
END
python3 -m venv environment
for number in 6.1.1 8.1.4; do
  environment/bin/pip install --quiet --disable-pip-version-check "python-hcl2==$number" >&2
  environment/bin/python read.py
done | tee output
cat > expected <<'END'
6.1.1 {"gpu": "A40", "count": 1000.0, "resource": {"pod": {"cpu": 2}}}
8.1.4 {"gpu": "\"A40\"", "count": "${1e3}", "resource": {"\"pod\"": {"cpu": 2}}}
END
cmp output expected
