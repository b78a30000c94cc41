import pytest

import captions


@pytest.fixture(scope="module")
def endpoint(freehold):
    return captions.deploy()


def test_a_job_is_answered(endpoint):
    # A simulated image answers with its input; freehold.simulate.json can give it another answer.
    assert captions.caption(endpoint, "https://example.org/cat.png") == {"url": "https://example.org/cat.png"}


def test_workers_stop_when_they_are_idle(endpoint, freehold):
    captions.caption(endpoint, "https://example.org/dog.png")
    freehold.clock.advance("10m")
    assert freehold.call("GET", f"/v2/{endpoint}/health")["workers"]["running"] == 0


def test_jobs_wait_while_no_worker_may_start(endpoint, freehold):
    freehold.call("PATCH", f"/v1/endpoints/{endpoint}", {"workersMax": 0})
    job = freehold.call("POST", f"/v2/{endpoint}/run", {"input": {}})
    assert freehold.call("GET", f"/v2/{endpoint}/status/{job['id']}")["status"] == "IN_QUEUE"
