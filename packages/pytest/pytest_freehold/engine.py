"""The container engine that tests with the marker `freehold_engine` need."""

import http.client
import os
import socket
from urllib.parse import urlsplit

_DEFAULT = "unix:///var/run/docker.sock"
_SECONDS = 5


def engine_problem():
    """Why no engine answers, or None. An address that needs TLS or SSH is left to the service."""
    address = os.environ.get("FREEHOLD_DOCKER_HOST") or os.environ.get("DOCKER_HOST") or _DEFAULT
    target = urlsplit(address)
    if target.scheme == "unix":
        connection = _UnixConnection(target.path)
    elif target.scheme in ("tcp", "http") and not os.environ.get("DOCKER_TLS_VERIFY"):
        connection = http.client.HTTPConnection(target.hostname, target.port or 2375, timeout=_SECONDS)
    else:
        return None
    try:
        connection.request("GET", "/_ping")
        status = connection.getresponse().status
        return None if status == 200 else f"the container engine at {address} answers {status}"
    except (OSError, http.client.HTTPException) as error:
        return f"no container engine answers at {address}: {error}"
    finally:
        connection.close()


def is_ci():
    """CI services set the variable CI."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=_SECONDS)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)
