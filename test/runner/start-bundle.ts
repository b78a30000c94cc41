// The bundle from which processes of the service start in half the CPU time of the sources.

import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { ROOT } from "./sets.ts";

/** Where it fails, processes start from the sources. */
export async function buildStartBundle(): Promise<void> {
  const script = path.join(ROOT, "bin", "start", "build-bundle.mjs");
  await once(spawn(process.execPath, [script], { stdio: "ignore" }), "exit");
}
