#!/bin/sh
# Version: docker 7.2.0 (PyPI), Python 3; @balena/dockerignore 1.0.2 (npm), Node 20 or later
# Guessed: Docker's SDK for Python sends the build context that `docker build` would send for the same .dockerignore.
# Really: in the rules of Docker, which are those of Go's filepath.Match, `[^a]` is any character but a, and `[!a]` is an
# exclamation mark or an a. The SDK reads them by Python's fnmatch, where it is the other way round, so that it sends what
# Docker leaves out. The client for Node follows Docker:
#   [^a].txt: Python ^.txt a.txt, Node !.txt ^.txt b.txt
#   [!a].txt: Python !.txt ^.txt b.txt, Node !.txt a.txt
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit @balena/dockerignore@1.0.2 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check docker==7.2.0 >&2
cat > ignored.cjs <<'END'
const dockerignore = require("@balena/dockerignore");

const [rule, ...names] = process.argv.slice(2);
console.log(names.filter((name) => dockerignore({ ignorecase: false }).add(rule).ignores(name)).join(" "));
END
cat > ignored.py <<'END'
import os, subprocess
from docker.utils import exclude_paths

NAMES = ["!.txt", "^.txt", "a.txt", "b.txt"]
os.mkdir("context")
for name in NAMES:
    open(f"context/{name}", "w").close()
for rule in ["[^a].txt", "[!a].txt"]:
    sent = exclude_paths("context", [rule])
    ignored = " ".join(name for name in NAMES if name not in sent)
    node = subprocess.check_output(["node", "ignored.cjs", rule, *NAMES], text=True).strip()
    print(f"{rule}: Python {ignored}, Node {node}")
END
environment/bin/python ignored.py | tee output
cat > expected <<'END'
[^a].txt: Python ^.txt a.txt, Node !.txt ^.txt b.txt
[!a].txt: Python !.txt ^.txt b.txt, Node !.txt a.txt
END
cmp output expected
