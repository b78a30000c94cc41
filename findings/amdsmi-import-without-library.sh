#!/usr/bin/env bash
# Version: amdsmi 7.0.2, AMD's binding of its library, and nvidia-ml-py 13.615.71, NVIDIA's (PyPI), Python 3, a machine without either library
# Guessed: an import of amdsmi on a machine without AMD's library raises ImportError, or OSError as ctypes does, so that a program that
# serves both makers makes the import optional by these, and prints nothing.
# Really: it prints two lines on standard output and raises KeyError, the look-up in a table of what it found. NVIDIA's binding can be
# imported anywhere, and its first call says what is missing:
#   amdsmi: KeyError('libamd_smi.so'), 2 lines printed
#   pynvml: imported; NVMLError_LibraryNotFound
# It matters if your output is read by a program: import amdsmi only after you found the library, in a process of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check amdsmi==7.0.2 nvidia-ml-py==13.615.71 >&2
cat > imports.py <<'END'
import contextlib, io

printed = io.StringIO()
try:
    with contextlib.redirect_stdout(printed):
        import amdsmi
    outcome = "imported"
except Exception as error:
    outcome = repr(error)
print(f"amdsmi: {outcome}, {len(printed.getvalue().splitlines())} lines printed")

import pynvml

try:
    pynvml.nvmlInit()
    outcome = "started"
except pynvml.NVMLError as error:
    outcome = type(error).__name__
print(f"pynvml: imported; {outcome}")
END
environment/bin/python imports.py | tee output
cat > expected <<'END'
amdsmi: KeyError('libamd_smi.so'), 2 lines printed
pynvml: imported; NVMLError_LibraryNotFound
END
cmp output expected
