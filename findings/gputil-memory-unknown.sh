#!/usr/bin/env bash
# Version: GPUtil 1.4.0 and nvsmi 0.4.2 (PyPI), Python 3; the line of nvidia-smi is a GB10's with driver 580, UUID replaced
# Guessed: `getAvailable(includeNan=True)` offers a GPU whose memory the driver does not tell, as its documentation says.
# Really: a machine with unified memory has `[N/A]` for the memory of its GPU. GPUtil compares the free memory, which is no
# number, with `memoryFree=0` before it looks at `includeNan`, so that the idle GPU is never available; nvsmi, whose limits
# are "anything" by default, offers none either:
#   GPUtil: load 0.0, available []
#   GPUtil with includeNan: []
#   nvsmi: 0 available of 1
# It matters if you choose a GPU by these libraries on such a machine: ask for the memory of the machine instead.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check GPUtil==1.4.0 nvsmi==0.4.2 'setuptools<81' >&2
mkdir bin
cat > bin/nvidia-smi <<'END'
#!/bin/sh
echo "0, GPU-00000000-0000-4000-8000-000000000001, 0, [N/A], [N/A], [N/A], 580.95.05, NVIDIA GB10, [N/A], Disabled, Disabled, 45"
END
chmod +x bin/nvidia-smi
cat > available.py <<'END'
import GPUtil, nvsmi

print(f"GPUtil: load {GPUtil.getGPUs()[0].load}, available {GPUtil.getAvailable()}")
print(f"GPUtil with includeNan: {GPUtil.getAvailable(includeNan=True)}")
print(f"nvsmi: {len(list(nvsmi.get_available_gpus()))} available of {len(list(nvsmi.get_gpus()))}")
END
PATH="$folder/bin:$PATH" environment/bin/python available.py | tee output
cat > expected <<'END'
GPUtil: load 0.0, available []
GPUtil with includeNan: []
nvsmi: 0 available of 1
END
cmp output expected
