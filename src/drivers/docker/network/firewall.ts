// Firewall rules that keep containers from their machine's own ports and from its provider's metadata.
// An engine isolates networks from each other but not from the machine. On Podman they also keep networks apart: with
// netavark 1.4.0 the end of one network's last container lifts the isolation of all.

import { KeyedMutex } from "../../keyed-mutex.ts";
import type { Run } from "../../machine/run.ts";
import type { Networks } from "./networks.ts";

/** The metadata addresses of AWS and most other clouds, and of Alibaba; they serve credentials. */
const METADATA = ["169.254.0.0/16", "100.100.100.200/32"];

export interface Rules {
  /** The prefix of the bridges' names; see networks.ts. */
  bridgePrefix: string;
  /** The ports of the machine that containers may reach: Freehold's. */
  ports: readonly number[];
  /** The bridges to keep apart; null if the engine does. A bridge that is missing here passes nothing on. */
  bridges: readonly string[] | null;
}

/** The rules of one machine, for all that open a port to its containers. */
export class MachineFirewall {
  readonly #openPorts = new Set<number>();
  readonly #mutex = new KeyedMutex();

  /**
   * Opens the port, if it is not open yet, and sets all rules. Each call lists the bridges after the one before it has
   * set its rules, so that rules for an older list never replace newer ones. Resolves as `applyRules` does; rejects if
   * the engine does not list its bridges.
   */
  setRules(
    run: Run,
    networks: Pick<Networks, "bridgePrefix" | "bridges">,
    port: number,
  ): Promise<string | null> {
    const { bridgePrefix } = networks;
    this.#openPorts.add(port);
    return this.#mutex.run(bridgePrefix, async () => {
      const bridges = await networks.bridges();
      return applyRules(run, { bridgePrefix, ports: [...this.#openPorts], bridges });
    });
  }
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
function rulesText({ bridgePrefix, ports, bridges }: Rules): string {
  const [input, output] = [chainOf(bridgePrefix, "IN"), chainOf(bridgePrefix, "OUT")];
  return [
    "*filter",
    `:${input} - [0:0]`,
    `:${output} - [0:0]`,
    `-A ${input} -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN`,
    ...ports.map((port) => `-A ${input} -p tcp --dport ${port} -j RETURN`),
    `-A ${input} -j DROP`,
    ...METADATA.map((range) => `-A ${output} -d ${range} -j DROP`),
    // A machine may show the packets inside one bridge to these rules too.
    ...(bridges ?? []).map((bridge) => `-A ${output} -i ${bridge} -o ${bridge} -j RETURN`),
    ...(bridges === null ? [] : [`-A ${output} -o ${bridgePrefix}+ -j DROP`]),
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
