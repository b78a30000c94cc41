"""A Flash app with a function for the queue and one behind the load balancer, which calls it."""

from runpod_flash import Endpoint


@Endpoint(name="adder", cpu="cpu3c-1-2", workers=(0, 1))
async def add(a: int, b: int) -> dict:
    return {"sum": a + b}


api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(0, 1))


@api.post("/double")
async def double(a: int) -> dict:
    return await add(a, a)
