#!/bin/sh
# Version: python-dotenv 1.2.4 (PyPI), Python 3.10 or later; dotenv 17.2.3 (npm), Node 20 or later
# Guessed: a value in single quotes is taken as it is written, as a shell and the package for Node take it.
# Really: python-dotenv puts variables into it, an empty text for one that is not set: a password or a template with `${...}`
# loses a part, without an error. Only `interpolate=False` keeps it:
#   shell: p${word}2
#   Node: p${word}2
#   Python: p2
#   Python, interpolate=False: p${word}2
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit dotenv@17.2.3 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check python-dotenv==1.2.4 >&2
cat > .env <<'END'
SECRET='p${word}2'
END
cat > read.mjs <<'END'
import { readFileSync } from "node:fs";
import { parse } from "dotenv";

console.log("Node:", parse(readFileSync(".env")).SECRET);
END
cat > read.py <<'END'
from dotenv import dotenv_values

print("Python:", dotenv_values(".env")["SECRET"])
print("Python, interpolate=False:", dotenv_values(".env", interpolate=False)["SECRET"])
END
{ (. ./.env && printf 'shell: %s\n' "$SECRET"); node read.mjs; environment/bin/python read.py; } | tee output
cat > expected <<'END'
shell: p${word}2
Node: p${word}2
Python: p2
Python, interpolate=False: p${word}2
END
cmp output expected
