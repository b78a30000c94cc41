#!/usr/bin/env bash
# Version: nvidia-ml-py 13.580.126, 13.590.48, 13.610.43 and 13.615.71 (PyPI), NVIDIA's binding of NVML; Python 3
# Guessed: a number that NVML returns keeps its meaning within the major version 13, so that a program can hold a table of them.
# Really: the recovery action 5 is a reset of the bus in 580, nothing in 590, and the recovery of the IMEX domain from 610 on, where
# a reset of the bus is 6 and was, before 615, no action at all. The name of the reset changed too:
#   13.580.126: 5 GPU_RESET_BUS, 6 -
#   13.590.48: 5 -, 6 -
#   13.610.43: 5 RECOVER_IMEX_DOMAIN, 6 -
#   13.615.71: 5 RECOVER_IMEX_DOMAIN, 6 BUS_RESET
# It matters if you act on the number: a table of 580 resets the bus of a GPU whose driver of 610 asks for something else. Bind
# the numbers to the version of the driver that answers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > actions.py <<'END'
import sys, pynvml

prefix = "NVML_GPU_RECOVERY_ACTION_"
names = {value: name[len(prefix):] for name, value in vars(pynvml).items() if name.startswith(prefix)}
print(f"{sys.argv[1]}: 5 {names.get(5, '-')}, 6 {names.get(6, '-')}")
END
for version in 13.580.126 13.590.48 13.610.43 13.615.71; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --target "$version" "nvidia-ml-py==$version" >&2
  PYTHONPATH="$folder/$version" python3 actions.py "$version"
done | tee output
cat > expected <<'END'
13.580.126: 5 GPU_RESET_BUS, 6 -
13.590.48: 5 -, 6 -
13.610.43: 5 RECOVER_IMEX_DOMAIN, 6 -
13.615.71: 5 RECOVER_IMEX_DOMAIN, 6 BUS_RESET
END
cmp output expected
