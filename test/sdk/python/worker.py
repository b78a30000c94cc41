"""A worker as users write one with the public SDK, unmodified. The variable SHAPE chooses what kind
of handler it is, and each job's input says what the handler does: {"do": "raise"}."""

import asyncio
import json
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


def language_model(job):
    """What vLLM workers yield: text of events, cut anywhere; lists of objects, if they are older."""
    route = job["input"].get("openai_route")
    asked = job["input"].get("openai_input") or {}
    words = ["It ", "said: é", "😀"]
    base = {"id": "cmpl-1", "created": 1, "model": asked.get("model"), "object": "chat.completion"}
    if route == "/v1/models":
        yield {"object": "list", "data": [{"id": "tiny", "object": "model", "created": 1, "owned_by": "me"}]}
    elif asked.get("model") == "gone":
        yield {"error": "The model `gone` does not exist."}
    elif not asked.get("stream"):
        message = {"role": "assistant", "content": "".join(words)}
        usage = {"prompt_tokens": 1, "completion_tokens": 3, "total_tokens": 4}
        yield {**base, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}
    else:
        base["object"] = "chat.completion.chunk"
        events = [{**base, "choices": [{"index": 0, "delta": {"content": each}}]} for each in words]
        if asked["model"] == "of-old":
            yield events[:2]
            yield events[2:]
            return
        text = "".join(f"data: {json.dumps(each, ensure_ascii=False)}\n\n" for each in events)
        text += "data: [DONE]\n\n"
        for at in range(0, len(text), 37):
            yield text[at : at + 37]


SHAPES = {
    "sync": {"handler": answer},
    "async": {"handler": answer_async},
    "concurrent": {"handler": answer_async, "concurrency_modifier": lambda current: 6},
    "generator": {"handler": chunks},
    "async_generator": {"handler": chunks_async},
    "aggregate": {"handler": chunks_async, "return_aggregate_stream": True},
    "language_model": {"handler": language_model, "return_aggregate_stream": True},
    "refresh": {"handler": answer, "refresh_worker": True},
}

runpod.serverless.start(SHAPES[os.environ["SHAPE"]])
