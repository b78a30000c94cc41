"""An app of runpod 2.0.0rc2: a function behind a queue, and one that yields its results."""

import runpod

app = runpod.App("tally")


@app.queue(name="adder", cpu="cpu3c-1-2", workers=(0, 1))
async def add(a: int, b: int) -> dict:
    return {"sum": a + b}


@app.queue(name="counter", cpu="cpu3c-1-2", workers=(0, 1))
def count(to: int):
    yield from range(to)
