"""The program of the image that stands in for the hosted images of apps, which cannot be pulled here: it unpacks the
archive of the build, and serves the function of the endpoint with the packages in the archive."""

import importlib
import json
import os
import sys
import tarfile

APP = "/app"

os.makedirs(APP, exist_ok=True)
with tarfile.open("/root/.runpod/artifact.tar.gz") as archive:
    archive.extractall(APP)
sys.path[:0] = [f"{APP}/env", APP]

import runpod  # noqa: E402

assert runpod.__file__.startswith(APP), "the client's own package belongs into the archive"
name = os.environ["FLASH_RESOURCE_NAME"]
with open(f"{APP}/runpod_manifest.json") as file:
    resource = next(each for each in json.load(file)["resources"] if each["name"] == name)
function = getattr(importlib.import_module(resource["module"]), resource["qualname"]).__wrapped__

if name == "counter":

    def handler(job):
        yield from function(**job["input"])

else:

    async def handler(job):
        return await function(**job["input"])


runpod.serverless.start({"handler": handler, "return_aggregate_stream": True})
