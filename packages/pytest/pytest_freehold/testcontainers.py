"""A Freehold in a container, for tests that use Testcontainers. The image is the one that the repository's Dockerfile builds."""

import secrets

from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

from .service import call
from .variables import variables

_PORT = 8700
_SOCKET = "/var/run/docker.sock"


class FreeholdContainer(DockerContainer):
    """Once started, it has `url`, `key` and the `variables` that point clients to it."""

    def __init__(self, image="freehold", **kwargs):
        super().__init__(image, **kwargs)
        self.key = f"fh_{secrets.token_hex(20)}"
        self.with_exposed_ports(_PORT)
        self.with_env("FREEHOLD_API_KEY", self.key)
        self.with_env("FREEHOLD_DRIVERS", "process,simulated")
        self.waiting_for(HttpWaitStrategy(_PORT, "/readyz"))

    def with_container_engine(self, socket=_SOCKET):
        """Pods and workers run as containers of the engine that runs this one."""
        self.with_kwargs(user="root")
        self.with_volume_mapping(socket, _SOCKET, "rw")
        return self.with_env("FREEHOLD_DRIVERS", "docker")

    @property
    def url(self):
        """The address at which the test reaches the service."""
        return f"http://{self.get_container_host_ip()}:{self.get_exposed_port(_PORT)}"

    @property
    def variables(self):
        return variables(self.url, self.key)

    def call(self, method, path, body=None):
        """The JSON of an answer to a request with the key; raises RuntimeError for a refusal."""
        return call(self.url, self.key, method, path, body)
