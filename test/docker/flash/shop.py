"""A Flash app with a function for the queue and one behind the load balancer."""

from runpod_flash import Endpoint


@Endpoint(name="adder", cpu="cpu3c-1-2", workers=(0, 1))
async def add(a: int, b: int) -> dict:
    return {"sum": a + b}


api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(0, 1))


@api.post("/greet")
async def greet(name: str) -> dict:
    return {"hello": name}
