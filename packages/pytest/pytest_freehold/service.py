"""A Freehold in a process of its own, and its endpoints."""

import inspect
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import freehold as package

from .clock import Clock
from .endpoint import Endpoint
from .fault import Fault

_START_SECONDS = 60
_STOP_SECONDS = 20
# Variables of this process that workers get.
_PASSED = ("PATH", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")

_WORKER = """import importlib.util, sys
import runpod
sys.path[:0] = {paths!r}
spec = importlib.util.spec_from_file_location({module!r}, {file!r})
module = importlib.util.module_from_spec(spec)
sys.modules[{module!r}] = module
spec.loader.exec_module(module)
runpod.serverless.start({{"handler": getattr(module, {name!r})}})
"""


def call(url, key, method, path, body=None):
    """The JSON of an answer to a request with the key; raises RuntimeError for a refusal."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    request = urllib.request.Request(url + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        reason = error.read().decode(errors="replace")
        raise RuntimeError(f"{method} {path} failed with {error.code}: {reason}") from None
    return json.loads(text) if text else None


class Freehold:
    """A service with `url`, `key` and the folder `data`."""

    def __init__(self, url, key):
        self.url = url
        self.key = key
        self.data = None
        self.clock = Clock(self)
        self._process = None
        self._count = 0
        self._endpoints = []
        self._sections = []
        self._log_start = 0

    def start(self, with_engine=False):
        """Starts the service and waits until it answers; with an engine, images run as its containers."""
        self.data = tempfile.mkdtemp(prefix="freehold-pytest-")
        env = {"FREEHOLD_DRIVERS": "process,simulated", "FREEHOLD_LOG_LEVEL": "warn", **os.environ}
        if with_engine:
            env["FREEHOLD_DRIVERS"] = "docker,process"
        if "docker" not in env["FREEHOLD_DRIVERS"]:
            env.setdefault("FREEHOLD_CLOCK", "virtual")
        env["FREEHOLD_API_KEY"] = self.key
        address = self.url[len("http://") :]
        words = [*package.command(), "up", "--temporary", "on", "--listen", address, "--data", self.data]
        with open(self._log_file(), "wb") as log:
            # The service ends with this pipe, so also with this process, however it ends. In a session of its own it
            # survives Ctrl-C, which tests clean up after.
            self._process = subprocess.Popen(
                words, env=env, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + _START_SECONDS
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                text = self.log()
                self.stop()
                raise RuntimeError(f"Freehold did not start at {self.url}:\n{text}")
            time.sleep(0.02)

    def stop(self):
        """Ends the service with its workers, and removes its data."""
        if self._process is not None:
            self._process.stdin.close()
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self.data, ignore_errors=True)

    def log(self):
        """What the service printed."""
        with open(self._log_file(), encoding="utf-8", errors="replace") as log:
            return log.read()

    def call(self, method, path, body=None):
        """The JSON of an answer to a request with the key; raises RuntimeError for a refusal."""
        return call(self.url, self.key, method, path, body)

    def fault(self, name, duration=None, rate=None, match=None):
        """Switches a fault on, such as "429-storm", until `off` or the end of a `with` block."""
        return Fault(self, name, duration, rate, match)

    def begin_test(self):
        """What happened before is not part of the next test's report."""
        self._sections = []
        self._log_start = os.path.getsize(self._log_file())

    def remember(self, endpoint):
        """Keeps the sections of an endpoint that is about to be deleted, as its test may fail afterward."""
        if endpoint in self._endpoints:
            self._endpoints.remove(endpoint)
            self._sections += _sections_of(endpoint)

    def sections(self):
        """What the report of a failed test shows: the logs of workers, the reasons, and the service's log."""
        sections = list(self._sections)
        for endpoint in self._endpoints:
            sections += _sections_of(endpoint)
        with open(self._log_file(), encoding="utf-8", errors="replace") as log:
            log.seek(self._log_start)
            text = log.read()
        return [(title, text) for title, text in [*sections, ("freehold log", text)] if text.strip()]

    def endpoint(self, handler, name=None, workers=1, env=None, settings=None):
        """
        An endpoint whose workers run `handler`: a function at the top level of a module, or the path of a script that
        starts a worker. `settings` are further fields of POST /v1/endpoints.
        """
        self._count += 1
        name = name or f"test-{self._count}"
        script = self._script(handler, name)
        command = f"cd {shlex.quote(os.getcwd())} && exec {shlex.join([sys.executable, script])}"
        passed = {each: os.environ[each] for each in _PASSED if each in os.environ}
        template = {
            "name": f"{name}-{self._count}",
            "imageName": "freehold/test",
            "driver": "process",
            "isServerless": True,
            "dockerEntrypoint": ["/bin/sh", "-c"],
            "dockerStartCmd": [command],
            "env": {"PYTHONUNBUFFERED": "1", **passed, **(env or {})},
        }
        template_id = self.call("POST", "/v1/templates", template)["id"]
        spec = {"name": name, "templateId": template_id, "computeType": "CPU", "workersMin": 1, "workersMax": workers}
        spec.update(settings or {})
        endpoint = Endpoint(self, self.call("POST", "/v1/endpoints", spec)["id"], template_id)
        self._endpoints.append(endpoint)
        return endpoint

    def _script(self, handler, name):
        if not callable(handler):
            script = os.path.abspath(handler)
            if not os.path.isfile(script):
                raise ValueError(f"there is no file {script}")
            return script
        if "." in handler.__qualname__ or handler.__name__ == "<lambda>":
            raise ValueError(f"{handler.__qualname__} must be a function at the top level of a module")
        file = os.path.join(self.data, f"{name}-{self._count}.py")
        text = _WORKER.format(
            paths=[each for each in sys.path if each],
            module=handler.__module__,
            file=os.path.abspath(inspect.getsourcefile(handler)),
            name=handler.__name__,
        )
        with open(file, "w", encoding="utf-8") as script:
            script.write(text)
        return file

    def _is_ready(self):
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5):
                return True
        except OSError:
            return False

    def _log_file(self):
        return os.path.join(self.data, "service.log")


def _sections_of(endpoint):
    """A report must not fail because the service does."""
    try:
        return endpoint.sections()
    except (OSError, RuntimeError) as error:
        return [(f"why {endpoint.id}", str(error))]
