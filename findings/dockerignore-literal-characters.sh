#!/bin/sh
# Version: @balena/dockerignore 1.0.2 (npm), Node 20 or later; docker 7.2.0 (PyPI), Python 3
# Guessed: a character that has no meaning in a .dockerignore stands for itself, as in the library that Docker uses (and in its
# SDK for Python); the package compares itself with real builds.
# Really: the package makes a regular expression of a rule and escapes only `.` and `$`. A rule with parentheses or a plus
# leaves its file in the image and takes another file out; one for the folder `c++` is no expression at all:
#   old (copy).py: Node old copy.py, Python old (copy).py
#   a+b: Node aab, Python a+b
#   c++: Node refused, Python c++
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit @balena/dockerignore@1.0.2 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check docker==7.2.0 >&2
cat > read.py <<'END'
import json, subprocess
from docker.utils.build import PatternMatcher

RULES = ["old (copy).py", "a+b", "c++"]
NAMES = ["old (copy).py", "old copy.py", "a+b", "aab", "c++"]
node = json.loads(subprocess.check_output(["node", "read.cjs", json.dumps([RULES, NAMES])]))
for rule in RULES:
    ignored = [name for name in NAMES if PatternMatcher([rule]).matches(name)]
    print(f"{rule}: Node {node[rule]}, Python {', '.join(ignored)}")
END
cat > read.cjs <<'END'
const dockerignore = require("@balena/dockerignore");

const [rules, names] = JSON.parse(process.argv[2]);
const ignoredBy = (rule) => {
  const matcher = dockerignore({ ignorecase: false }).add(rule);
  try {
    return names.filter((name) => matcher.ignores(name)).join(", ");
  } catch (error) {
    return error instanceof SyntaxError ? "refused" : String(error);
  }
};
console.log(JSON.stringify(Object.fromEntries(rules.map((rule) => [rule, ignoredBy(rule)]))));
END
environment/bin/python read.py | tee output
cat > expected <<'END'
old (copy).py: Node old copy.py, Python old (copy).py
a+b: Node aab, Python a+b
c++: Node refused, Python c++
END
cmp output expected
