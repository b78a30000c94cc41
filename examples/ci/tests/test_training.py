import pytest
import runpod

import training


def test_the_pod_has_what_was_asked_for():
    pod = training.start("trainer")
    assert pod["desiredStatus"] == "RUNNING"
    assert (pod["imageName"], pod["gpuCount"]) == (training.IMAGE, 8)
    runpod.terminate_pod(pod["id"])


def test_its_ports_are_public():
    pod = training.start("trainer", gpus=1)
    ports = {port["privatePort"]: port for port in pod["runtime"]["ports"]}
    assert ports[22]["isIpPublic"]
    runpod.terminate_pod(pod["id"])


def test_three_days_cost_three_days(freehold):
    pod = training.start("trainer", gpus=2)
    cost = runpod.get_pod(pod["id"])["costPerHr"] * 72
    freehold.clock.advance("3d")
    runpod.terminate_pod(pod["id"])
    bill = freehold.call("GET", f"/v1/billing/pods?podId={pod['id']}&grouping=podId")
    assert sum(each["amount"] for each in bill) == pytest.approx(cost, rel=0.01)


def test_a_stopped_pod_keeps_its_volume():
    pod = training.start("trainer", gpus=1)
    runpod.stop_pod(pod["id"])
    assert runpod.get_pod(pod["id"])["desiredStatus"] == "EXITED"
    runpod.terminate_pod(pod["id"])
    assert runpod.get_pod(pod["id"]) is None


def test_trouble_reaches_the_caller(freehold):
    with freehold.fault("429-storm", match="/graphql"):
        with pytest.raises(Exception, match="Too many requests"):
            training.start("trainer")
