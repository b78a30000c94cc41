# The public Python package's API functions, as its documentation shows them: what each call gave, as one
# JSON object on the last line.

import json
import os
import time

import runpod
from runpod.error import AuthenticationError, QueryError

runpod.api_key = os.environ["KEY"]
# Where no container engine is, Pods come from a template that names a driver.
how = json.loads(os.environ["HOW"])
seen = {}


def refused(kind, ask):
    try:
        ask()
    except kind as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was refused"


gpus = runpod.get_gpus()
seen["gpus"] = len(gpus)
gpu = runpod.get_gpu("NVIDIA A40", 2)
seen["gpu"] = [gpu["id"], gpu["lowestPrice"]["uninterruptablePrice"], gpu["maxGpuCount"] > 0]
seen["unknown gpu"] = refused(ValueError, lambda: runpod.get_gpu("nope"))

pod = runpod.create_pod(
    "t",
    gpu_type_id="NVIDIA A40",
    env={"A": "b"},
    ports="22/tcp,8888/http",
    volume_in_gb=10,
    container_disk_in_gb=5,
    docker_args="sleep 1000",
    **how,
)
pod_id = pod["id"]
seen["created"] = [
    pod["env"],
    bool(pod["machineId"]),
    pod["machine"]["podHostId"].startswith(pod_id),
]
for _ in range(600):
    read = runpod.get_pod(pod_id)
    if read["runtime"] and any(p["privatePort"] == 22 and p["isIpPublic"] for p in read["runtime"]["ports"]):
        break
    time.sleep(0.1)
seen["up"] = [read["desiredStatus"], read["gpuCount"], read["machine"]["gpuDisplayName"]]
seen["listed"] = [each["id"] == pod_id for each in runpod.get_pods()]
seen["no pod"] = runpod.get_pod("nope")
seen["stopped"] = runpod.stop_pod(pod_id)["desiredStatus"]
seen["resumed"] = runpod.resume_pod(pod_id, 1)["desiredStatus"]
runpod.terminate_pod(pod_id)
seen["deleted"] = runpod.get_pod(pod_id)
seen["unknown pod"] = refused(QueryError, lambda: runpod.stop_pod("nope"))
seen["no capacity"] = refused(QueryError, lambda: runpod.create_pod("n", gpu_type_id="NVIDIA A40", gpu_count=99, **how))

cpu = runpod.create_pod("c", instance_id="cpu3c-2-4", docker_args="sleep 1000", **how)
runpod.terminate_pod(cpu["id"])

template = runpod.create_template("tt", "img", docker_start_cmd="python -u handler.py", env={"B": "c"}, is_serverless=True)
seen["template"] = [template["name"], template["dockerArgs"], template["env"]]
endpoint = runpod.create_endpoint("eee", template["id"], "AMPERE_48", flashboot=True, workers_max=0)
seen["endpoint"] = [endpoint["name"], endpoint["gpuIds"], endpoint["flashBootType"]]
other = runpod.create_template("uu", "img2", docker_start_cmd="x", is_serverless=True)
seen["updated"] = runpod.update_endpoint_template(endpoint["id"], other["id"])["templateId"] == other["id"]
seen["endpoints"] = [each["id"] == endpoint["id"] for each in runpod.get_endpoints()]
auth = runpod.create_container_registry_auth("hub", "u", "p")
seen["auth"] = [auth["name"], runpod.update_container_registry_auth(auth["id"], "u", "q")["name"]]
runpod.delete_container_registry_auth(auth["id"])
seen["settings"] = runpod.update_user_settings(os.environ["PUBLIC_KEY"])["pubKey"] == os.environ["PUBLIC_KEY"]
seen["user"] = sorted(runpod.get_user())

runpod.api_key = "bad"
seen["bad key"] = refused(AuthenticationError, runpod.get_pods)
print(json.dumps(seen))
