"""The public Python client, unmodified: does everything it can do and prints what it saw. The first
argument chooses the blocking or the asyncio one."""

import asyncio
import json
import os
import sys

import aiohttp
import requests
import runpod
from runpod import AsyncioEndpoint

runpod.api_key = os.environ["KEY"]
runpod.endpoint_url_base = os.environ["BASE"]

SERVED, UNSERVED = os.environ["SERVED"], os.environ["UNSERVED"]


def refusal(ask):
    try:
        ask()
    except (RuntimeError, requests.HTTPError) as error:
        return f"{type(error).__name__}: {error}"


def blocking():
    seen = {}
    endpoint = runpod.Endpoint(SERVED)
    seen["run_sync"] = endpoint.run_sync({"input": {"text": "é😀", "big": 2**53 + 1}})
    seen["run_sync failed"] = endpoint.run_sync({"input": {"do": "fail"}})
    seen["run_sync wrapped"] = endpoint.run_sync({"prompt": "no input key"})

    job = endpoint.run({"input": {"n": 1}})
    seen["output"] = job.output(timeout=20)
    seen["status"] = job.status()

    streaming = endpoint.run({"input": {"do": "stream", "count": 3}})
    seen["stream"] = list(streaming.stream())
    seen["streamed"] = streaming.status()
    seen["no stream"] = list(job.stream())

    hanging = endpoint.run({"input": {"do": "hang"}})
    seen["cancel"] = hanging.cancel()["status"]
    seen["cancelled"] = hanging.status()

    unserved = runpod.Endpoint(UNSERVED)
    unserved.run({"input": {"n": 1}})
    unserved.run({"input": {"n": 2}})
    seen["purge_queue"] = unserved.purge_queue()
    seen["health"] = unserved.health()

    seen["unknown"] = refusal(lambda: runpod.Endpoint("unknown").health())
    runpod.api_key = "wrong"
    seen["wrong key"] = refusal(lambda: runpod.Endpoint(SERVED).health())
    return seen


async def nonblocking():
    seen = {}
    async with aiohttp.ClientSession() as session:
        endpoint = AsyncioEndpoint(SERVED, session)
        job = await endpoint.run({"n": 1})
        seen["output"] = await job.output(timeout=20)
        seen["status"] = await job.status()

        failing = await endpoint.run({"do": "fail"})
        seen["failed"] = await failing.output(timeout=20)

        streaming = await endpoint.run({"do": "stream", "count": 3})
        seen["stream"] = [chunk async for chunk in streaming.stream()]

        hanging = await endpoint.run({"do": "hang"})
        seen["cancel"] = (await hanging.cancel())["status"]

        unserved = AsyncioEndpoint(UNSERVED, session)
        await unserved.run({"n": 1})
        seen["purge_queue"] = await unserved.purge_queue()
        seen["health"] = await unserved.health()
    return seen


seen = asyncio.run(nonblocking()) if sys.argv[1] == "asyncio" else blocking()
print("\n" + json.dumps(seen))
