"""A worker. Its handler is tested by test_handler.py."""

import runpod


def greet(job):
    return {"message": "Hello, " + job["input"]["name"]}


if __name__ == "__main__":
    runpod.serverless.start({"handler": greet})
