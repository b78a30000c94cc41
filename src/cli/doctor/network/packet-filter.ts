// What the rules of a packet filter, as `iptables -S` prints them, do with a new TCP connection from another computer.
// Pure.

export type PacketVerdict = "accept" | "drop" | "unknown";

interface Rule {
  words: string[];
  /** A verdict, or the chain that decides next. */
  target: string;
}

interface Chain {
  /** ACCEPT or DROP; null for a chain of one's own. */
  policy: string | null;
  rules: Rule[];
}

/** A comment is one word in quotation marks. */
const WORD = /"(?:[^"\\]|\\.)*"|\S+/g;

/** So deep may chains call each other; the kernel itself refuses loops. */
const MAX_DEPTH = 32;

/** What happens to a connection to the port that comes in by this interface. */
export function verdictOf(rules: string, port: number, device: string): PacketVerdict {
  const chains = chainsOf(rules);
  const input = chains.get("INPUT");
  if (!input) return "unknown";
  const verdict = runChain(chains, input, { port, device }, 0);
  if (verdict !== null) return verdict;
  return input.policy === "ACCEPT" ? "accept" : "drop";
}

function chainsOf(text: string): Map<string, Chain> {
  const chains = new Map<string, Chain>();
  for (const line of text.split("\n")) {
    const [kind, name, ...words] = line.match(WORD) ?? [];
    if (!name) continue;
    if (kind === "-P" || kind === "-N") {
      chains.set(name, { policy: kind === "-P" ? words[0]! : null, rules: [] });
    } else if (kind === "-A") {
      const at = words.findIndex((word) => word === "-j" || word === "-g");
      if (at >= 0)
        chains.get(name)?.rules.push({ words: words.slice(0, at), target: words[at + 1]! });
    }
  }
  return chains;
}

interface Packet {
  port: number;
  device: string;
}

/** Null where no rule decides. */
function runChain(
  chains: Map<string, Chain>,
  { rules }: Chain,
  packet: Packet,
  depth: number,
): PacketVerdict | null {
  for (const { words, target } of rules) {
    const matches = doesMatch(words, packet);
    if (matches === false) continue;
    const next = chains.get(target);
    const verdict =
      next && depth < MAX_DEPTH ? runChain(chains, next, packet, depth + 1) : ENDS[target];
    // A rule that depends on more than the port, such as the caller's address, lets some through.
    if (matches === null && verdict) return "unknown";
    if (target === "RETURN") return matches ? null : "unknown";
    if (verdict) return verdict;
  }
  return null;
}

/** LOG, MARK and others go on to the next rule. */
const ENDS: Record<string, PacketVerdict | undefined> = {
  ACCEPT: "accept",
  DROP: "drop",
  REJECT: "drop",
  TARPIT: "drop",
};

/** Null if it depends on what is not known of the packet. */
function doesMatch(words: string[], { port, device }: Packet): boolean | null {
  let isCertain = true;
  for (let at = 0; at < words.length; at += 1) {
    const isNegated = words[at] === "!";
    if (isNegated) at += 1;
    const option = words[at]!;
    const value = words[at + 1] ?? "";
    at += 1;
    const matches = OPTIONS[option]?.(value, { port, device });
    if (matches === undefined) isCertain = false;
    else if (matches === isNegated) return false;
  }
  return isCertain ? true : null;
}

/** Whether the packet matches; null for what only loads a module. */
const OPTIONS: Record<string, (value: string, packet: Packet) => boolean | null> = {
  "-m": () => null,
  "-p": (value) => ["tcp", "all", "6"].includes(value),
  "-i": (value, { device }) =>
    value.endsWith("+") ? device.startsWith(value.slice(0, -1)) : value === device,
  "--dport": (value, { port }) => isInRanges(value, port),
  "--dports": (value, { port }) => isInRanges(value, port),
  "--ctstate": (value) => value.split(",").includes("NEW"),
  "--state": (value) => value.split(",").includes("NEW"),
  "--dst-type": (value) => value === "LOCAL",
  "--comment": () => null,
};

const isInRanges = (text: string, port: number) =>
  text.split(",").some((range) => {
    const [first, last = first] = range.split(":").map(Number);
    return port >= first! && port <= last!;
  });
