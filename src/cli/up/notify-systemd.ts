// Reports to systemd that the service answers requests, if a unit of Type=notify started it.

import { spawn } from "node:child_process";

/** Node has no datagram sockets of Unix, so systemd's own program sends the message. */
export function notifySystemd({ NOTIFY_SOCKET }: NodeJS.ProcessEnv, origin: string): void {
  if (!NOTIFY_SOCKET) return;
  const state = ["--no-block", "--ready", `--pid=${process.pid}`, `--status=Answers at ${origin}`];
  const env = { NOTIFY_SOCKET, PATH: process.env.PATH ?? "" };
  const child = spawn("systemd-notify", state, { env, stdio: ["ignore", "ignore", "inherit"] });
  child.on("error", ({ message }) => {
    process.stderr.write(`freehold: systemd was not notified: ${message}\n`);
  });
}
