// The Python that runs a handler, and a check of what the handler imports.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Refusal } from "../../base/refusal.ts";

const PROGRAM = `
import importlib.util, sys
print(sys.executable)
print(importlib.util.find_spec("runpod") is not None)
`;

/** Returns the path of the interpreter. Throws Refusal if it lacks what `file` imports. */
export function pythonFor(name: string, file: string, cwd: string): string {
  const { status, stdout, error, stderr } = spawnSync(name, ["-c", PROGRAM], {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) {
    const message = error?.message ?? stderr.trim();
    throw new Refusal(`${name} does not run (${message}); name another with --python`);
  }
  const [executable = name, hasRunpod] = stdout.trim().split("\n");
  if (hasRunpod !== "True" && /^\s*(?:import|from)\s+runpod\b/m.test(readFileSync(file, "utf8"))) {
    throw new Refusal(
      `${executable} has no package runpod, which ${file} imports: ` +
        `${executable} -m pip install runpod (or name another Python with --python)`,
    );
  }
  return executable;
}
