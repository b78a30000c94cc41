"""Runs a command on a rented Pod. It uses the SDK as it would against the hosted service."""

import time

import runpod

IMAGE = "acme/train:1.4"
GPU = "NVIDIA A100 80GB PCIe"


def start(name, gpus=8, timeout=60):
    """Rents a Pod and returns it once it runs."""
    pod = runpod.create_pod(name, IMAGE, GPU, gpu_count=gpus, volume_in_gb=20, ports="8888/http,22/tcp")
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        current = runpod.get_pod(pod["id"])
        if current.get("runtime"):
            return current
        time.sleep(0.1)
    runpod.terminate_pod(pod["id"])
    raise TimeoutError(f"{name} did not start in {timeout} s")
