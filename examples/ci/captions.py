"""Captions for images, by a Serverless endpoint that is made at the first use."""

import runpod

IMAGE = "acme/captions:3"


def deploy(name="captions"):
    """Creates the endpoint and returns its id."""
    template = runpod.create_template(name=name, image_name=IMAGE, is_serverless=True)
    endpoint = runpod.create_endpoint(name=name, template_id=template["id"], workers_max=2)
    return endpoint["id"]


def caption(endpoint_id, url, timeout=60):
    return runpod.Endpoint(endpoint_id).run_sync({"url": url}, timeout=timeout)
