#!/bin/sh
# Installs Freehold from a folder with a release (dist/release of a clone, or a copy of it): checks the checksum and the
# version of Node, and installs the command without touching anything outside of the prefix.
# Usage: install.sh RELEASE [PREFIX]; the prefix is ~/.local by default.
set -eu
fail() {
  echo "install.sh: $1" >&2
  exit 1
}

[ $# -ge 1 ] || fail "name the folder of a release: install.sh RELEASE [PREFIX]"
release=$1
prefix=${2:-${HOME:?is not set; name the folder to install into: install.sh RELEASE PREFIX}/.local}
[ -f "$release/SHA256SUMS" ] || fail "$release has no SHA256SUMS; npm run release builds a release"
for program in node npm; do
  command -v "$program" >/dev/null ||
    fail "$program is missing; install Node 24 or later, or the wheel, which brings Node: pip install $release/freehold-*.whl"
done
major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 24 ] ||
  fail "Freehold needs Node 24 or later, and this is $(node --version); install a newer Node, or the wheel: pip install $release/freehold-*.whl"

line=$(grep ' freehold-[0-9][^ ]*\.tgz$' "$release/SHA256SUMS") || fail "$release/SHA256SUMS lists no package of Freehold"
package=${line##* }
if command -v sha256sum >/dev/null; then check="sha256sum -c"; else check="shasum -a 256 -c"; fi
(cd "$release" && echo "$line" | $check >/dev/null 2>&1) ||
  fail "$package does not have the checksum in SHA256SUMS; copy the release again"

npm install --loglevel=error --offline --no-audit --no-fund --global --prefix "$prefix" "$(cd "$release" && pwd)/$package" >/dev/null ||
  fail "npm could not install into $prefix; see its message above, or name another folder: install.sh RELEASE PREFIX"
echo "Freehold $("$prefix/bin/freehold" --version | cut -d ' ' -f 2) is installed: $prefix/bin/freehold up"
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "$prefix/bin is not on your PATH; add it: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
