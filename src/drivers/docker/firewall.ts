// Keeps containers from their machine's own ports and from its provider's metadata. The engine keeps
// networks apart from each other, and none of them from the machine; that takes rules of our own.

import type { Run } from "../machine/run.ts";

/** Where clouds tell a machine who it is, keys included: AWS and most others, Alibaba. */
const METADATA = ["169.254.0.0/16", "100.100.100.200/32"];

export interface Rules {
  /** How the names of our bridges begin, see networks.ts. */
  bridgePrefix: string;
  /** The one port of the machine that containers may reach: ours. */
  port: number;
}

/** Null where the rules hold, else why they do not: no such program, or not the right to set them. */
export async function applyRules(run: Run, rules: Rules): Promise<string | null> {
  try {
    await run("iptables-restore", ["--wait", "--noflush"], rulesText(rules));
    const { bridgePrefix } = rules;
    await Promise.all([
      ensureJump(run, "INPUT", bridgePrefix, chainOf(bridgePrefix, "IN")),
      ensureJump(run, "DOCKER-USER", bridgePrefix, chainOf(bridgePrefix, "OUT")),
    ]);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "the program iptables is not installed";
    return message.replace(/\s+/g, " ").trim().slice(0, 200);
  }
}

/** Both chains as a whole, so that there is no moment without them. */
function rulesText({ bridgePrefix, port }: Rules): string {
  const [input, output] = [chainOf(bridgePrefix, "IN"), chainOf(bridgePrefix, "OUT")];
  return [
    "*filter",
    `:${input} - [0:0]`,
    `:${output} - [0:0]`,
    `-A ${input} -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN`,
    `-A ${input} -p tcp --dport ${port} -j RETURN`,
    `-A ${input} -j DROP`,
    ...METADATA.map((range) => `-A ${output} -d ${range} -j DROP`),
    "COMMIT",
    "",
  ].join("\n");
}

const chainOf = (prefix: string, way: "IN" | "OUT") => `FREEHOLD-${prefix}-${way}`;

async function ensureJump(run: Run, from: string, prefix: string, chain: string): Promise<void> {
  const rule = ["-i", `${prefix}+`, "-j", chain];
  const there = await run("iptables", ["--wait", "-C", from, ...rule]).then(
    () => true,
    () => false,
  );
  if (!there) await run("iptables", ["--wait", "-I", from, ...rule]);
}
