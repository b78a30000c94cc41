# Everything that the management functions of the SDK's second version do, step by step; prints what
# each step returned as one JSON object per line.
import json
import os

import runpod

runpod.api_key = os.environ["RUNPOD_API_KEY"]
IMAGE = "registry.example/team/image:1"
# A template that the service can run.
TEMPLATE = os.environ["TEMPLATE"]


def step(name, call, *args, **kwargs):
    try:
        result = call(*args, **kwargs)
    except Exception as problem:  # the test asserts on the type and the sentence
        result = {"raised": type(problem).__name__, "message": str(problem)}
    print(json.dumps({"step": name, "result": result}), flush=True)
    return result


step("user", runpod.get_user)
step("gpus", runpod.get_gpus)
step("gpu", runpod.get_gpu, "NVIDIA GeForce RTX 4090", 1)
step("unknown gpu", runpod.get_gpu, "NVIDIA Abacus")
step("ssh keys", runpod.update_user_settings, os.environ["PUBLIC_KEY"])

step(
    "pod template",
    runpod.create_template,
    "pods",
    IMAGE,
    "serve --port 8888",
    env={"FROM": "template"},
    ports="8888/http,22/tcp",
    volume_in_gb=20,
)
pod = step(
    "pod",
    runpod.create_pod,
    "trainer",
    template_id=TEMPLATE,
    gpu_type_id="NVIDIA GeForce RTX 4090",
    cloud_type="SECURE",
    volume_in_gb=20,
    ports="8888/http,22/tcp",
    env={"OWN": "2"},
)
step("cpu pod", runpod.create_pod, "cpu", template_id=TEMPLATE, instance_id="cpu3c-2-4")
step("pods", runpod.get_pods)
step("stop", runpod.stop_pod, pod["id"])
step("resume", runpod.resume_pod, pod["id"])
step("resume again", runpod.resume_pod, pod["id"])
step("terminate", runpod.terminate_pod, pod["id"])
step("terminated", runpod.get_pod, pod["id"])
step("no capacity", runpod.create_pod, "many", template_id=TEMPLATE, gpu_type_id="NVIDIA GeForce RTX 4090", gpu_count=64)

registry = step("registry", runpod.create_container_registry_auth, "hub", "ada", "secret")
step("registry update", runpod.update_container_registry_auth, registry["id"], "ada", "other")
step("registry delete", runpod.delete_container_registry_auth, registry["id"])

worker = step(
    "worker template", runpod.create_template, "workers", IMAGE, is_serverless=True
)
other = step(
    "other template", runpod.create_template, "workers-2", IMAGE + "-2", is_serverless=True
)
endpoint = step(
    "endpoint", runpod.create_endpoint, "images", worker["id"], workers_max=0, flashboot=True
)
step("endpoint update", runpod.update_endpoint_template, endpoint["id"], other["id"])
step("endpoints", runpod.get_endpoints)
