// The check for handlers written in Python. Without Python everything else still works.

import { execFile } from "node:child_process";
import type { Finding } from "./finding.ts";

const about = "Python";
const PROGRAM = `
import platform
try:
    from importlib.metadata import version
    print(platform.python_version(), version("runpod"))
except Exception:
    print(platform.python_version())
`;

export async function checkPython(python: string): Promise<Finding> {
  const [version, runpod] = await ask(python);
  if (!version) {
    const fix = "install Python 3.10 or later if you want handlers in Python";
    return { level: "warn", about, says: `${python} does not run`, fix };
  }
  if (runpod) return { level: "ok", about, says: `${version} with runpod ${runpod}` };
  const fix = `${python} -m pip install runpod, for handlers in Python`;
  return { level: "warn", about, says: `${version} without the package runpod`, fix };
}

function ask(python: string): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(python, ["-c", PROGRAM], { timeout: 10_000 }, (error, stdout) => {
      resolve(error ? [] : stdout.trim().split(" "));
    });
  });
}
