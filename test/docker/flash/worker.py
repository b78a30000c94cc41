"""The program of the image that stands in for the hosted Flash images, which cannot be pulled here: it unpacks the
archive of the build and runs the handler that the client generated for the endpoint."""

import os
import runpy
import signal
import sys
import tarfile

APP = "/app"

# The first process of a container ignores signals without a handler; the SDK adds its own later.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
os.makedirs(APP, exist_ok=True)
with tarfile.open("/root/.runpod/artifact.tar.gz") as archive:
    archive.extractall(APP)
os.chdir(APP)
sys.path.insert(0, APP)
handler = f"handler_{os.environ['FLASH_RESOURCE_NAME']}"
if os.environ.get("FLASH_ENDPOINT_TYPE") == "lb":
    import uvicorn

    uvicorn.run(f"{handler}:app", host="0.0.0.0", port=int(os.environ.get("PORT", "80")))
else:
    sys.argv = [f"{handler}.py"]
    runpy.run_path(f"{handler}.py", run_name="__main__")
