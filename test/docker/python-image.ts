// An image with this machine's Python, a released version of the PyPI package `runpod`, and a
// worker: what a user's Dockerfile would make, without pulling anything.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { docker, librariesOf } from "../fixtures/docker/engine.ts";
import { WORKER } from "../sdk/python-worker.ts";

/** Most of what an interpreter and its packages weigh, and nothing that a worker uses. */
const LEFT_OUT = [
  "__pycache__",
  "*/lib/python3*/test",
  "*/idlelib",
  "*/tkinter",
  "*/ensurepip",
  "*/lib2to3",
  "*/pip",
  "*/runpod-*/lib64",
  "*.a",
  "*/config-3*",
  "*/botocore/data/*/*",
  "*/site-packages/*/examples",
];

/** Puts the image there, if it is not; the interpreter and the worker have the paths they have here. */
export function ensurePythonImage(host: string, python: string, worker = WORKER): string {
  const environment = path.dirname(path.dirname(python));
  const inputs = [python, readFileSync(worker), readFileSync(path.join(environment, "pins.txt"))];
  const hash = createHash("sha256").update(inputs.join("\n")).digest("hex").slice(0, 12);
  const name = `freehold-test-python:${hash}`;
  if (docker(host, "images", "--quiet", name) !== "") return name;
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-image-"));
  try {
    const archive = path.join(folder, "root.tar");
    const list = path.join(folder, "list");
    writeFileSync(list, contents(python, environment, worker).join("\n"));
    const left = LEFT_OUT.map((each) => `--exclude=${each}`);
    const owner = ["--owner=0", "--group=0", "--dereference", "--hard-dereference"];
    const what = ["--no-recursion", "tmp", "--recursion", "--files-from", list];
    execFileSync("tar", [...owner, ...left, "-C", "/", "-cf", archive, ...what]);
    const manners = [
      `ENTRYPOINT ${JSON.stringify([python])}`,
      `CMD ${JSON.stringify(["-u", worker])}`,
    ];
    docker(host, "import", ...manners.flatMap((each) => ["--change", each]), archive, name);
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Paths below the root: the interpreter, what it loads, its packages, the worker and a shell. */
function contents(python: string, environment: string, worker: string): string[] {
  const standard = runProgram(python, "import sysconfig; print(sysconfig.get_path('stdlib'))");
  const folders = [standard, environment];
  const { stdout } = spawnSync("find", [...folders, "-name", "*.so*", "-type", "f"], {
    encoding: "utf8",
  });
  const modules = stdout.split("\n").filter(Boolean);
  const libraries = librariesOf([realpathSync(python), "/bin/sh", ...modules]);
  const outside = [...libraries].filter((file) => !folders.some((each) => file.startsWith(each)));
  const base = runProgram(python, "import sys; print(sys.base_prefix)");
  const interpreter = path.join(base, "bin", path.basename(realpathSync(python)));
  return [...folders, ...outside, interpreter, worker, "/bin/sh"].map((file) => file.slice(1));
}

function runProgram(python: string, program: string): string {
  return execFileSync(python, ["-c", program], { encoding: "utf8" }).trim();
}
