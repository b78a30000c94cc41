# The public package runpod, unmodified, as its variables configure it: one read over GraphQL and one
# over the queue.

import os

import runpod

runpod.api_key = os.environ["RUNPOD_API_KEY"]
runpod.get_gpus()
runpod.Endpoint(os.environ["ENDPOINT"]).health()
