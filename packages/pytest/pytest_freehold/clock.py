"""The clock of a service."""


class Clock:
    """A clock that flows with real time, and that a test can move forward."""

    def __init__(self, service):
        self._service = service

    def now(self):
        """The service's time, in ISO 8601."""
        return self._service.call("GET", "/v1/clock")["now"]

    def advance(self, duration, silent_workers=False):
        """Moves time forward by "90s", "15m", "7d"; returns the time once everything that became due has happened."""
        return self._move({"advance": duration}, silent_workers)

    def to(self, instant, silent_workers=False):
        """Moves time forward to an instant in ISO 8601."""
        return self._move({"to": instant}, silent_workers)

    def _move(self, body, silent_workers):
        body["workers"] = "silent" if silent_workers else "kept"
        return self._service.call("POST", "/v1/clock", body)["now"]
