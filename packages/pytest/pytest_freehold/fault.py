"""A fault that a test switches on."""


class Fault:
    """A fault that is on. As a context manager it is off at the end."""

    def __init__(self, service, name, duration=None, rate=None, match=None):
        self.name = name
        self._service = service
        body = {"name": name, "for": duration, "rate": rate, "match": match}
        given = {key: value for key, value in body.items() if value is not None}
        self._before = service.call("POST", "/v1/faults", given)["hits"]

    @property
    def hits(self):
        """How many requests it has hit since it was switched on."""
        faults = self._service.call("GET", "/v1/faults")
        return next(fault["hits"] for fault in faults if fault["name"] == self.name) - self._before

    def off(self):
        """Switches it off."""
        self._service.call("DELETE", f"/v1/faults/{self.name}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.off()
