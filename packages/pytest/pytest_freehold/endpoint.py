"""An endpoint of the service: its jobs, and what its workers printed."""

import json
import time

_POLL_SECONDS = 0.1
_WHY_SECONDS = 1
_LOG_LINES = 60
_ENDS = ("COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT")


class JobFailed(RuntimeError):
    """A job without success: `job` is its last answer."""

    def __init__(self, message, job):
        super().__init__(message)
        self.job = job


class Endpoint:
    """An endpoint with `id` and `url`. As a context manager it is deleted at the end."""

    def __init__(self, service, endpoint_id, template_id):
        self.id = endpoint_id
        self.url = f"{service.url}/v2/{endpoint_id}"
        self._service = service
        self._template_id = template_id

    def run(self, job_input):
        """Submits a job; returns it with its `id`."""
        return self._service.call("POST", f"/v2/{self.id}/run", {"input": job_input})

    def runsync(self, job_input, timeout=90, check=True):
        """
        Submits a job and waits for it; returns it with its `status` and `output`. A job without success raises
        JobFailed with the handler's traceback, unless `check` is False. Workers that end again and again, and the end
        of the time in seconds, raise it with the reason and the worker's log.
        """
        job = self.run(job_input)
        deadline = time.monotonic() + timeout
        why_at = time.monotonic() + _WHY_SECONDS
        while True:
            job = self.status(job["id"])
            if job["status"] in _ENDS:
                if check and job["status"] != "COMPLETED":
                    raise JobFailed(f"job {job['id']} {job['status']}: {_error_text(job.get('error'))}", job)
                return job
            now = time.monotonic()
            if now > deadline:
                raise JobFailed(f"job {job['id']} is {job['status']} after {timeout} s\n{self._diagnosis()}", job)
            if now > why_at:
                if self.why()["code"] == "crash_loop":
                    raise JobFailed(f"job {job['id']} has no worker\n{self._diagnosis()}", job)
                why_at = now + _WHY_SECONDS
            time.sleep(_POLL_SECONDS)

    def status(self, job_id):
        """The job as it is now."""
        return self._service.call("GET", f"/v2/{self.id}/status/{job_id}")

    def why(self):
        """Why the endpoint is as it is: `code`, `sentence` and `next`."""
        return self._service.call("GET", f"/v1/why/{self.id}")

    def log(self):
        """What its workers printed last, those that ended included."""
        workers = self._service.call("GET", f"/v1/endpoints/{self.id}/workers?ended=2")
        texts = []
        for worker in workers:
            lines = self._service.call("GET", f"/v1/workers/{worker['id']}/logs?tail={_LOG_LINES}")
            texts += [f"-- {worker['id']}, {worker['phase']}", *(line["text"] for line in lines)]
        return "\n".join(texts)

    def delete(self):
        """Ends the workers, and deletes the endpoint."""
        self._service.remember(self)
        self._service.call("DELETE", f"/v1/endpoints/{self.id}")
        self._service.call("DELETE", f"/v1/templates/{self._template_id}")

    def sections(self):
        """The sections of the report of a test that failed."""
        why = self.why()
        text = why["sentence"] + (f"\n{why['next']}" if why.get("next") else "")
        return [(f"worker log of {self.id}", self.log()), (f"why {self.id}", text)]

    def _diagnosis(self):
        return "\n".join(text for _, text in reversed(self.sections()))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.delete()


def _error_text(error):
    """The SDK reports an exception as JSON with its traceback."""
    try:
        report = json.loads(error)
    except (TypeError, ValueError):
        return error
    if not isinstance(report, dict):
        return error
    return report.get("error_traceback") or report.get("error_message") or error
