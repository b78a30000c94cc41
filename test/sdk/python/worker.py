"""A worker as users write one with the public SDK, unmodified. The variable SHAPE chooses what kind
of handler it is, and each job's input says what the handler does: {"do": "raise"}."""

import asyncio
import os
import time

import runpod


def echo(job):
    return job["input"]


def fail(job):
    raise ValueError("the handler raised: ü")


def progress(job):
    runpod.serverless.progress_update(job, {"percent": 50})
    time.sleep(job["input"].get("seconds", 0))
    return {"percent": 100}


def sleep(job):
    time.sleep(job["input"]["seconds"])
    return "slept"


ANSWERS = {
    "echo": echo,
    "raise": fail,
    "error": lambda job: {"error": "a returned error"},
    "error_object": lambda job: {"error": {"code": 1}},
    "error_and_output": lambda job: {"error": "half done", "half": [1, 2]},
    "nan": lambda job: {"nan": float("nan"), "inf": [float("-inf"), 1.5]},
    "none": lambda job: None,
    "nothing": lambda job: {},
    "scalar": lambda job: "just text",
    "unserialisable": lambda job: {"at": b"bytes are no JSON"},
    "progress": progress,
    "sleep": sleep,
    "refresh": lambda job: {"refresh_worker": True, "pid": os.getpid()},
    "pid": lambda job: {"pid": os.getpid()},
    "whole_job": lambda job: dict(job),
}


def answer(job):
    return ANSWERS[job["input"].get("do", "echo")](job)


async def answer_async(job):
    if job["input"].get("do") == "sleep":
        await asyncio.sleep(job["input"]["seconds"])
        return "slept"
    if job["input"].get("do") == "await":
        while not os.path.exists(job["input"]["file"]):
            await asyncio.sleep(0.05)
        return "there"
    return answer(job)


def chunks(job):
    for number in range(job["input"]["count"]):
        yield {"number": number, "text": "é😀"}
    if job["input"].get("do") == "yield_error":
        yield {"error": "yielded"}
    if job["input"].get("do") == "raise":
        raise ValueError("raised between yields")


async def chunks_async(job):
    for chunk in chunks(job):
        await asyncio.sleep(0.01)
        yield chunk


SHAPES = {
    "sync": {"handler": answer},
    "async": {"handler": answer_async},
    "concurrent": {"handler": answer_async, "concurrency_modifier": lambda current: 6},
    "generator": {"handler": chunks},
    "async_generator": {"handler": chunks_async},
    "aggregate": {"handler": chunks_async, "return_aggregate_stream": True},
    "refresh": {"handler": answer, "refresh_worker": True},
}

runpod.serverless.start(SHAPES[os.environ["SHAPE"]])
