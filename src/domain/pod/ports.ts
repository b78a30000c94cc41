// A Pod's ports: what it listens on, and which public ones lead to them. Pure.

import type { Pod } from "./pod.ts";

/** The public ports that a machine gives its Pods, both ends included. */
export interface PortRange {
  first: number;
  last: number;
}

/** From the port that was asked for to the public one. */
export type PublicPorts = Record<string, number>;

/**
 * A tcp port above this is none: it asks for a public port, and for that same one inside the
 * container, which learns from its environment which it is.
 */
export const LARGEST_PORT = 65_535;

export const httpPorts = (ports: readonly string[]): number[] => portsOf(ports, "/http");

export const tcpPorts = (ports: readonly string[]): number[] => portsOf(ports, "/tcp");

/** What is wrong with ports of a Pod or a template, a sentence each. */
export function portMistakes(ports: readonly string[]): string[] {
  return ports.flatMap((port) => {
    const number = Number.parseInt(port, 10);
    if (number >= 1 && (number <= LARGEST_PORT || port.endsWith("/tcp"))) return [];
    const symmetrical = "70000/tcp and the like ask for one that is the same inside and outside";
    return [
      `"ports" holds "${port}"; a port is a number from 1 to ${LARGEST_PORT}; ${symmetrical}.`,
    ];
  });
}

/** The container's end of a public port. */
export function insidePort(asked: number, publicPort: number): number {
  return asked > LARGEST_PORT ? publicPort : asked;
}

/**
 * A public port for each that is asked for: the one it has, else one that is free. Where the search
 * begins follows from `seed`, so that a new try does not end at the same ones. Null where too few are
 * free.
 */
export function drawPorts(
  asked: readonly number[],
  has: PublicPorts,
  taken: ReadonlySet<number>,
  { first, last }: PortRange,
  seed: string,
): PublicPorts | null {
  const count = last - first + 1;
  const kept = asked.filter((port) => has[port] !== undefined);
  const drawn: PublicPorts = Object.fromEntries(kept.map((port) => [port, has[port]!]));
  const used = new Set([...taken, ...Object.values(drawn)]);
  let at = digest(seed) % count;
  let looked = 0;
  for (const port of asked) {
    if (drawn[port] !== undefined) continue;
    while (looked < count && used.has(first + at)) {
      at = (at + 1) % count;
      looked++;
    }
    if (looked >= count) return null;
    used.add(first + at);
    drawn[port] = first + at;
  }
  return drawn;
}

/** What begins its draw: another one for each container and each try. */
export const drawSeed = ({ id, round, failedStarts }: Pick<Pod, "id" | "round" | "failedStarts">) =>
  `${id} ${round} ${failedStarts}`;

function portsOf(ports: readonly string[], ending: string): number[] {
  const mine = ports.filter((port) => port.endsWith(ending));
  return [...new Set(mine.map((port) => Number.parseInt(port, 10)))];
}

/** FNV-1a, 32 bits. */
function digest(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) {
    hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193) >>> 0;
  }
  return hash;
}
