# Every operation of dstack's Runpod backend, with the addresses that are built into it; prints what each step returned
# as one JSON object per line.
import json
import os

from dstack._internal.core.backends.runpod.api_client import RunpodApiClient
from gpuhunt.providers.runpod import get_gpu_map

client = RunpodApiClient(os.environ["RUNPOD_API_KEY"])
IMAGE = os.environ["IMAGE"]
GPU = "NVIDIA A40"
CENTER = "EU-RO-1"


def step(title, call, *args, **kwargs):
    try:
        result = call(*args, **kwargs)
    except Exception as problem:  # the test asserts on the type and the sentence
        result = {"raised": type(problem).__name__, "message": str(problem)}
    print(json.dumps({"step": title, "result": result}), flush=True)
    return result


step("key", client.validate_api_key)
step("wrong key", RunpodApiClient("wrong").validate_api_key)

# The names of its offers. The whole list of offers takes a request for each data center and number of GPUs.
step("GPU types", lambda: {gpu: [vendor.value, name] for gpu, (vendor, name) in get_gpu_map().items()})

volume = step("volume", client.create_network_volume, name="data", data_center_id=CENTER, size=10)
step("get volume", client.get_network_volume, volume["id"])
credentials = step(
    "credentials", client.create_container_registry_credentials, name="hub", username="ada", password="secret"
)
step("list credentials", client.list_container_registry_credentials)

container = {
    "image_name": IMAGE,
    "container_disk_in_gb": 5,
    "entrypoint": ["sh", "-c"],
    "cmd": ["sleep 300"],
    "env": {"A": "b"},
}
pod = step(
    "GPU Pod",
    client.create_pod,
    name="trainer",
    cloud="SECURE",
    data_center_ids=[CENTER],
    gpu_type_id=GPU,
    gpu_count=1,
    min_cpu_count_per_gpu=2,
    min_memory_in_gb_per_gpu=4,
    network_volume_id=volume["id"],
    volume_mount_path="/data",
    ports=["10022/tcp"],
    **container,
)
step("get Pod", client.get_pod, pod["id"])
private = step(
    "private Pod",
    client.create_pod,
    name="private",
    cloud="SECURE",
    cpu_type_id="cpu3c",
    cpu_count=2,
    container_registry_credentials_id=credentials["id"],
    **container,
)
step("credentials in use", client.delete_container_registry_credentials, credentials["id"])
spot = step(
    "spot Pod",
    client.create_gpu_pod_graphql,
    name="spot",
    image_name=IMAGE,
    gpu_type_id=GPU,
    cloud_type="SECURE",
    container_disk_in_gb=5,
    docker_args=json.dumps({"entrypoint": ["sh", "-c"], "cmd": ["sleep 300"]}).replace('"', '\\"'),
    ports="10022/tcp",
    env={"A": "b"},
    bid_per_gpu=1.0,
)
step("no capacity", client.create_pod, name="large", cloud="SECURE", gpu_type_id=GPU, gpu_count=64, **container)
step("terminate", lambda: [client.terminate_pod(each["id"]) for each in (pod, private, spot)])
step("terminate again", client.terminate_pod, pod["id"])
step("get a missing Pod", client.get_pod, "absent")

cluster = step(
    "cluster",
    client.create_cluster,
    name="two",
    cluster_type="TRAINING",
    gpu_type_id=GPU,
    gpu_count_per_pod=1,
    pod_count=2,
    **container,
)
step("cluster's Pods", client.list_cluster_pods, cluster["id"])
step("delete cluster", client.delete_cluster, cluster["id"])
step("delete cluster again", client.delete_cluster, cluster["id"])

step("delete volume", client.delete_network_volume, volume["id"])
step("delete volume again", client.delete_network_volume, volume["id"])
step("get a missing volume", client.get_network_volume, volume["id"])
step("delete credentials", client.delete_container_registry_credentials, credentials["id"])
