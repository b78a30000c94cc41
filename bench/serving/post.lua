-- What wrk sends as a small inference request.
wrk.method = "POST"
wrk.body = '{"input": {"prompt": "hello"}}'
wrk.headers["Content-Type"] = "application/json"
