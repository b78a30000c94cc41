// Firewall rules that keep containers from their machine's own ports and from its provider's metadata.
// The engine isolates networks from each other but not from the machine.

import type { Run } from "../../machine/run.ts";

/** The metadata addresses of AWS and most other clouds, and of Alibaba; they serve credentials. */
const METADATA = ["169.254.0.0/16", "100.100.100.200/32"];

export interface Rules {
  /** The prefix of the bridges' names; see networks.ts. */
  bridgePrefix: string;
  /** The ports of the machine that containers may reach: Freehold's. */
  ports: readonly number[];
}

/** Null if the rules are set, else the reason: the program is missing, or its use is not permitted. */
export async function applyRules(run: Run, rules: Rules): Promise<string | null> {
  try {
    await run("iptables-restore", ["--wait", "--noflush"], rulesText(rules));
    const { bridgePrefix } = rules;
    await Promise.all([
      ensureJump(run, "INPUT", bridgePrefix, chainOf(bridgePrefix, "IN")),
      ensureJump(run, await forwardChain(run), bridgePrefix, chainOf(bridgePrefix, "OUT")),
    ]);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "the program iptables is not installed";
    return message.replace(/\s+/g, " ").trim().slice(0, 200);
  }
}

/** Removes the rules with their chains, once no network of the installation is left. Never rejects. */
export async function removeRules(run: Run, bridgePrefix: string): Promise<void> {
  for (const [from, way] of [
    ["INPUT", "IN"],
    ["DOCKER-USER", "OUT"],
    ["FORWARD", "OUT"],
  ] as const) {
    const chain = chainOf(bridgePrefix, way);
    // A chain that is missing, or that another program's rule uses, is left as it is.
    for (const change of [
      ["-D", from, "-i", `${bridgePrefix}+`, "-j", chain],
      ["-F", chain],
      ["-X", chain],
    ]) {
      await run("iptables", ["--wait", ...change]).catch(() => {});
    }
  }
}

/** Both chains in one transaction, so that there is no moment without them. */
function rulesText({ bridgePrefix, ports }: Rules): string {
  const [input, output] = [chainOf(bridgePrefix, "IN"), chainOf(bridgePrefix, "OUT")];
  return [
    "*filter",
    `:${input} - [0:0]`,
    `:${output} - [0:0]`,
    `-A ${input} -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN`,
    ...ports.map((port) => `-A ${input} -p tcp --dport ${port} -j RETURN`),
    `-A ${input} -j DROP`,
    ...METADATA.map((range) => `-A ${output} -d ${range} -j DROP`),
    "COMMIT",
    "",
  ].join("\n");
}

const chainOf = (prefix: string, way: "IN" | "OUT") => `FREEHOLD-${prefix}-${way}`;

/** Docker keeps a chain for rules of others; without Docker, as with Podman, there is none. */
async function forwardChain(run: Run): Promise<string> {
  return run("iptables", ["--wait", "-S", "DOCKER-USER"]).then(
    () => "DOCKER-USER",
    () => "FORWARD",
  );
}

async function ensureJump(run: Run, from: string, prefix: string, chain: string): Promise<void> {
  const rule = ["-i", `${prefix}+`, "-j", chain];
  const isPresent = await run("iptables", ["--wait", "-C", from, ...rule]).then(
    () => true,
    () => false,
  );
  if (!isPresent) await run("iptables", ["--wait", "-I", from, ...rule]);
}
