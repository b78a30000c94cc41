// Programs run on a machine over SSH. Programs that need root use `sudo` if the user is not root.

import { shellQuoted } from "../../base/text/shell-quote.ts";
import type { Run } from "../machine/run.ts";
import type { SshLink } from "./link.ts";

const ROOT_PROGRAMS = new Set(["iptables", "iptables-restore"]);
const NOT_FOUND = 127;

export function runOverSsh(link: Pick<SshLink, "run">): Run {
  return async (program, args, input = "") => {
    const line = [program, ...args].map(shellQuoted).join(" ");
    const path = "PATH=$PATH:/usr/sbin:/sbin; export PATH; ";
    const root = ROOT_PROGRAMS.has(program) ? '[ "$(id -u)" = 0 ] || set -- sudo -n; ' : "";
    const { code, stdout, stderr } = await link.run(`${path}set --; ${root}"$@" ${line}`, input);
    if (code === 0) return stdout;
    const reason = stderr.trim() || `${program} ended with code ${code}`;
    throw Object.assign(new Error(reason), { stdout, code: code === NOT_FOUND ? "ENOENT" : code });
  };
}
