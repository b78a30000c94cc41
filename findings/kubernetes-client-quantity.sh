#!/bin/sh
# Version: @kubernetes/client-node 1.4.0 (npm), kubernetes 37.0.1 (PyPI); Node 20 or later, Python 3
# Guessed: `quantityToScalar` reads each quantity that the API accepts, as the client for Python does.
# Really: a fraction with a suffix above one is refused by the client for Node, which makes an integer of the part before the
# suffix. The API takes such quantities and gives them back as they were written, in the limits of a container for example:
#   Node: 1536Mi 1610612736, 1.5Gi refused, 0.5 0.5, 0.5k refused
#   Python: 1536Mi 1610612736, 1.5Gi 1610612736.0, 0.5 0.5, 0.5k 500.0
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit @kubernetes/client-node@1.4.0 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check kubernetes==37.0.1 >&2
cat > read.mjs <<'END'
import { quantityToScalar } from "@kubernetes/client-node/dist/util.js";

const read = (quantity) => {
  try {
    return quantityToScalar(quantity);
  } catch {
    return "refused";
  }
};
console.log("Node:", ["1536Mi", "1.5Gi", "0.5", "0.5k"].map((text) => `${text} ${read(text)}`).join(", "));
END
cat > read.py <<'END'
from kubernetes.utils import parse_quantity

print("Python:", ", ".join(f"{text} {parse_quantity(text)}" for text in ["1536Mi", "1.5Gi", "0.5", "0.5k"]))
END
{ node read.mjs; environment/bin/python read.py; } | tee output
cat > expected <<'END'
Node: 1536Mi 1610612736, 1.5Gi refused, 0.5 0.5, 0.5k refused
Python: 1536Mi 1610612736, 1.5Gi 1610612736.0, 0.5 0.5, 0.5k 500.0
END
cmp output expected
