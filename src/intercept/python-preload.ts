// A module that Python loads before a script. It lets aiohttp use the proxy, which it does only if it is asked to, and
// keeps everything else from looking up hosted names.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hostedDomains } from "./hosts.ts";

const SOURCE = `# Written by freehold intercept. Python imports a module of this name at its start.
import importlib.machinery
import importlib.util
import os
import socket
import sys

HOSTED = ${JSON.stringify(hostedDomains)}


def is_hosted(host):
    if isinstance(host, (bytes, bytearray)):
        host = host.decode("latin-1")
    if not isinstance(host, str):
        return False
    name = host.lower().rstrip(".")
    return any(name == domain or name.endswith("." + domain) for domain in HOSTED)


def guarded(look_up):
    def guard(host, *args, **kwargs):
        if is_hosted(host):
            detail = "%s is a hosted address, and this program ignores the proxy of freehold intercept" % (host,)
            raise socket.gaierror(socket.EAI_NONAME, detail)
        return look_up(host, *args, **kwargs)

    return guard


for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
    setattr(socket, name, guarded(getattr(socket, name)))


def trust_environment(session):
    begin = session.__init__

    def __init__(self, *args, **kwargs):
        kwargs["trust_env"] = True
        begin(self, *args, **kwargs)

    session.__init__ = __init__


class AiohttpFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "aiohttp.client":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            trust_environment(module.ClientSession)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, AiohttpFinder)

# The module of this name that Python would have loaded otherwise.
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
if spec is not None and spec.loader is not None:
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
`;

/** Writes the module below `folder` and returns the folder for PYTHONPATH. */
export function writePythonPreload(folder: string): string {
  const modules = path.join(folder, "python");
  mkdirSync(modules);
  writeFileSync(path.join(modules, "sitecustomize.py"), SOURCE);
  return modules;
}
