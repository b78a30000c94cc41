// Runs a script on this machine and passes on what it prints until it is stopped.

import { spawn } from "node:child_process";
import type { Follow } from "./kernel-log.ts";

const MAX_ERROR_LENGTH = 2_000;

/** `env` is the script's environment. */
export function followLocally(env: Record<string, string | undefined>): Follow {
  return (script, args, { output, end }) => {
    const child = spawn("/bin/sh", ["-c", script, "freehold-kernel-log", ...args], {
      cwd: "/",
      env: { ...env, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let error = "";
    child.stdout.setEncoding("utf8").on("data", output);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      error = (error + text).slice(-MAX_ERROR_LENGTH);
    });
    child.on("error", ({ message }) => (error = message));
    child.once("close", () => end(error));
    return () => {
      child.kill("SIGKILL");
    };
  };
}
