// Programs run on a machine over SSH. Programs that need root use `sudo` if the user is not root.

import type { ClientChannel } from "ssh2";
import { shellQuoted } from "../../base/text/shell-quote.ts";
import type { Run } from "../machine/run.ts";
import { type CommandResult, exitOf, type SshLink } from "./link.ts";

const ROOT_PROGRAMS = new Set(["iptables", "iptables-restore"]);
const NOT_FOUND = 127;

type Link = Pick<SshLink, "run" | "openProgram">;

export function runOverSsh(link: Link): Run {
  return async (program, args, input = "", stopped) => {
    const line = [program, ...args].map(shellQuoted).join(" ");
    const path = "PATH=$PATH:/usr/sbin:/sbin; export PATH; ";
    const root = ROOT_PROGRAMS.has(program) ? '[ "$(id -u)" = 0 ] || set -- sudo -n; ' : "";
    const command = `${path}set --; ${root}exec "$@" ${line}`;
    const { code, stdout, stderr } = await (stopped
      ? runUntil(link, command, { input, stopped })
      : link.run(command, input));
    if (code === 0) return stdout;
    const reason = stderr.trim() || `${program} ended with code ${code}`;
    throw Object.assign(new Error(reason), { stdout, code: code === NOT_FOUND ? "ENOENT" : code });
  };
}

/** A server may refuse signals for a session, so another command sends SIGTERM to the process that the first line names. */
async function runUntil(
  link: Link,
  command: string,
  { input, stopped }: { input: string; stopped: AbortSignal },
): Promise<CommandResult> {
  let ended: Promise<number | null> | null = null;
  const opened = (channel: ClientChannel) => (ended = exitOf(channel));
  const channel = await link.openProgram(`echo $$; ${command}`, opened);
  let [stdout, stderr] = ["", ""];
  const stop = () => {
    const [process] = /^\d+(?=\n)/.exec(stdout) ?? [];
    if (!stopped.aborted || !process) return;
    channel.off("data", stop);
    link.run(`kill -TERM ${process}`).catch(() => {}); // it ends by its own limit
  };
  channel.on("data", (bytes: Buffer) => (stdout += bytes));
  channel.on("data", stop);
  channel.stderr.on("data", (bytes: Buffer) => (stderr += bytes));
  channel.end(input);
  stopped.addEventListener("abort", stop);
  if (stopped.aborted) stop();
  const code = await ended;
  stopped.removeEventListener("abort", stop);
  return { code, stdout: stdout.slice(stdout.indexOf("\n") + 1), stderr };
}
