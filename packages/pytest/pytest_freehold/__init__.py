"""Fixtures of pytest for a Freehold of its own: a service on a free port, with a data folder for the session."""

import os
import secrets
import socket

import pytest

from .endpoint import Endpoint, JobFailed
from .engine import engine_problem, is_ci
from .service import Freehold
from .variables import variables

__version__ = "0"
__all__ = ["Endpoint", "Freehold", "JobFailed"]

_ENGINE = "freehold_engine"
_ADDRESS = pytest.StashKey()
_BEFORE = pytest.StashKey()
_PORT = pytest.StashKey()
_SERVICE = pytest.StashKey()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    """Comes before any conftest.py is imported, which may import an SDK."""
    _set_variables(early_config)


def pytest_configure(config):
    line = f"{_ENGINE}: run images as containers; without an engine the test is skipped, and fails in CI"
    config.addinivalue_line("markers", line)
    if _PORT not in config.stash:
        _set_variables(config)


def _set_variables(config):
    """
    Sets the variables of clients before any test module is imported, because SDKs read them at their import. The
    service itself starts with the first test that needs it.
    """
    port = socket.socket()
    # Bound until the service starts, so that no other program takes the port meanwhile.
    port.bind(("127.0.0.1", 0))
    origin, key = f"http://127.0.0.1:{port.getsockname()[1]}", f"fh_{secrets.token_hex(24)}"
    config.stash[_PORT] = port
    config.stash[_ADDRESS] = (origin, key)
    config.stash[_BEFORE] = dict(os.environ)
    os.environ.update(variables(origin, key))


def pytest_unconfigure(config):
    before = config.stash.get(_BEFORE, None)
    if before is not None:
        config.stash[_PORT].close()
        os.environ.clear()
        os.environ.update(before)


def pytest_generate_tests(metafunc):
    """Tests with the marker get a service of their own, which pytest starts once for all of them."""
    if "freehold" in metafunc.fixturenames and metafunc.definition.get_closest_marker(_ENGINE):
        metafunc.parametrize("freehold", ["engine"], indirect=True, scope="session")


@pytest.fixture(scope="session")
def freehold(pytestconfig, request):
    """A running Freehold, shared by all tests of the session. Those with the marker `freehold_engine` share another."""
    with_engine = getattr(request, "param", None) == "engine"
    problem = engine_problem() if with_engine else None
    if problem:
        (pytest.fail if is_ci() else pytest.skip)(problem)
    service = Freehold(*pytestconfig.stash[_ADDRESS])
    pytestconfig.stash[_PORT].close()
    service.start(with_engine)
    pytestconfig.stash[_SERVICE] = service
    yield service
    del pytestconfig.stash[_SERVICE]
    service.stop()


def pytest_runtest_setup(item):
    service = item.config.stash.get(_SERVICE, None)
    if service is not None:
        service.begin_test()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test says what the workers printed, and why they did not do better."""
    outcome = yield
    report = outcome.get_result()
    service = item.config.stash.get(_SERVICE, None)
    if report.failed and service is not None and "freehold" in getattr(item, "fixturenames", ()):
        report.sections += service.sections()
