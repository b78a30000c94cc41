// Programs of a machine that is reached by SSH. What only root may do is tried with `sudo` where the
// user is not root.

import type { Run } from "../machine/run.ts";
import type { SshLink } from "./link.ts";

const FOR_ROOT = new Set(["iptables", "iptables-restore"]);
const NOT_FOUND = 127;

export function runBy(link: Pick<SshLink, "run">): Run {
  return async (program, args, input = "") => {
    const line = [program, ...args].map(quoted).join(" ");
    const path = "PATH=$PATH:/usr/sbin:/sbin; export PATH; ";
    const root = FOR_ROOT.has(program) ? '[ "$(id -u)" = 0 ] || set -- sudo -n; ' : "";
    const { code, stdout, stderr } = await link.run(`${path}set --; ${root}"$@" ${line}`, input);
    if (code === 0) return stdout;
    const why = stderr.trim() || `${program} ended with code ${code}`;
    throw Object.assign(new Error(why), code === NOT_FOUND && { code: "ENOENT" });
  };
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
