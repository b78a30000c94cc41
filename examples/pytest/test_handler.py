"""Run with `pytest`, with the packages freehold, pytest-freehold and runpod installed."""

from handler import greet


def test_greeting(freehold):
    with freehold.endpoint(greet) as endpoint:
        job = endpoint.runsync({"name": "you"})
    assert job["output"] == {"message": "Hello, you"}


def test_results_are_kept_for_half_an_hour(freehold):
    with freehold.endpoint(greet) as endpoint:
        job = endpoint.run({"name": "you"})
        while endpoint.status(job["id"])["status"] != "COMPLETED":
            pass
        freehold.clock.advance("29m")
        assert endpoint.status(job["id"])["output"] == {"message": "Hello, you"}
