// The wheels in a container that has Debian's Python, no Node, no clone and no network.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { docker, sharedEngine, skipReason } from "../fixtures/docker/engine.ts";
import { ensurePythonImage, noPythonImage } from "../fixtures/docker/python-image.ts";
import { downloadWheels, emptyFolder } from "./installed.ts";

const pytestFile = `import shutil
import subprocess
import urllib.request

def test_a_job_completes(freehold):
    assert shutil.which("node") is None
    job = freehold.call("POST", "/v2/hello/runsync", {"input": {"name": "you"}})
    assert (job["status"], job["output"]) == ("COMPLETED", {"message": "Hello, you!"})

def test_up_becomes_ready(tmp_path):
    command = ["freehold", "up", "--listen", "127.0.0.1:8700", "--data", str(tmp_path / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        assert any("clients:" in line for line in service.stdout)
        assert urllib.request.urlopen("http://127.0.0.1:8700/readyz").status == 200
        service.terminate()
`;

test("the wheels run a job where there is Python and no Node", {
  skip: skipReason || noPythonImage,
}, async (t) => {
  const folder = sharedFolder(t);
  if (!downloadWheels(t, path.join(folder, "wheels"), ["freehold", "pytest-freehold"])) return;
  writeFileSync(path.join(folder, "test_root.py"), pytestFile);
  const host = await sharedEngine();
  const install = "pip install --quiet --no-index --find-links wheels freehold pytest-freehold";
  const output = runIn(host, ensurePythonImage(host), folder, [
    "sh",
    "-c",
    `${install} && python3 -m pytest -q -p no:cacheprovider test_root.py`,
  ]);
  assert.match(output, /2 passed/);
});

function sharedFolder(t: TestContext): string {
  const folder = emptyFolder(t);
  mkdirSync(path.join(folder, "wheels"));
  chmodSync(folder, 0o755);
  return folder;
}

function runIn(host: string, image: string, folder: string, command: string[]): string {
  const shared = ["--volume", `${folder}:/work:ro`, "--workdir", "/work"];
  const bare = ["--rm", "--init", "--network", "none", "--env", "PYTHONDONTWRITEBYTECODE=1"];
  return docker(host, "run", ...bare, ...shared, image, ...command);
}
