// Runs a script on a machine over SSH and passes on what it prints until it is stopped.

import { shellQuoted } from "../../base/text/shell-quote.ts";
import type { Follow } from "../machine/kernel-log.ts";
import type { SshLink } from "./link.ts";

const MAX_ERROR_LENGTH = 2_000;

export function followOverSsh(link: Pick<SshLink, "openProgram">): Follow {
  return (script, args, { output, end }) => {
    const words = ["/bin/sh", "-c", script, "freehold-kernel-log", ...args];
    const stopped = new AbortController();
    void link
      .openProgram(`LC_ALL=C exec ${words.map(shellQuoted).join(" ")}`)
      .then((channel) => {
        let error = "";
        stopped.signal.addEventListener("abort", () => channel.close());
        if (stopped.signal.aborted) channel.close();
        channel.setEncoding("utf8").on("data", output);
        channel.stderr.setEncoding("utf8").on("data", (text: string) => {
          error = (error + text).slice(-MAX_ERROR_LENGTH);
        });
        channel.once("close", () => end(error));
      })
      // A machine that is not reached is offline, which is reported as such.
      .catch(() => end(""));
    return () => stopped.abort();
  };
}
