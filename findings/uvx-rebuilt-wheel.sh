#!/usr/bin/env bash
# Version: uv 0.9.11 and 0.10.0 (PyPI), Python 3
# Guessed: `uvx --from FILE.whl COMMAND` runs the wheel that lies at the path; if it was rebuilt with the same version number,
#   `--refresh` or `--reinstall` takes the new one.
# Really: uvx keeps the environment of the first run. A rebuilt wheel of the same version is not taken, with `--refresh`
#   and `--reinstall` neither; `--no-cache` takes it.
# Seen, with both versions:
#   first run: first; rebuilt: first; --refresh: first; --reinstall: first; --no-cache: second
# It matters if you build packages from a clone and install them by path: give each build its own version number, or
# run uvx with --no-cache.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

build() { # build TEXT: writes the wheel, whose command prints TEXT
  python3 - "$1" <<'PYTHON'
import base64, hashlib, sys, zipfile

files = {
    "greeter.py": f"def main():\n    print({sys.argv[1]!r})\n",
    "greeter-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: greeter\nVersion: 1.0\n",
    "greeter-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "greeter-1.0.dist-info/entry_points.txt": "[console_scripts]\ngreet = greeter:main\n",
}
record = ""
for name, text in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
    record += f"{name},sha256={digest},{len(text)}\n"
files["greeter-1.0.dist-info/RECORD"] = record + "greeter-1.0.dist-info/RECORD,,\n"
with zipfile.ZipFile("greeter-1.0-py3-none-any.whl", "w") as wheel:
    for name, text in files.items():
        wheel.writestr(name, text)
PYTHON
}

for version in 0.9.11 0.10.0; do
  python3 -m venv "uv-$version"
  "uv-$version/bin/pip" install --quiet --disable-pip-version-check "uv==$version"
  export UV_CACHE_DIR="$folder/cache-$version" UV_PYTHON_DOWNLOADS=never UV_NO_PROGRESS=1
  greet() { "uv-$version/bin/uvx" --quiet "$@" --from ./greeter-1.0-py3-none-any.whl greet; }
  build first
  seen="first run: $(greet)"
  build second
  seen+="; rebuilt: $(greet); --refresh: $(greet --refresh); --reinstall: $(greet --reinstall)"
  seen+="; --no-cache: $(greet --no-cache)"
  echo "uv $version: $seen"
  [ "$seen" = "first run: first; rebuilt: first; --refresh: first; --reinstall: first; --no-cache: second" ] ||
    { echo "changed" >&2; exit 1; }
done
