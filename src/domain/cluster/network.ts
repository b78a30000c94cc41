// The network of a cluster: its range, the members' addresses, and the port of the first. Pure.

import type { ClusterMember } from "./cluster.ts";

export const PRIMARY_PORT = 29_500;
const LAST_PORT = 29_999;

/** 198.18.0.0/15 is reserved for the inside of networks, so that no address beyond them is hidden. */
const FIRST_RANGE = (198 << 16) | (18 << 8);
const RANGES = 512;

/** The first address of a range is its gateway's. */
const FIRST_HOST = 2;

/** What the clusters on some machines use. */
export type UsedNetworks = readonly Pick<ClusterMember, "cidr" | "primaryPort">[];

/**
 * A range that no cluster uses; null if there is none left. A network over a fabric has two ranges, because
 * the engines take addresses too. `seed` decides where the search begins, so
 * that installations that share an engine seldom draw the same.
 */
export function freeCidr(used: UsedNetworks, seed: string, ranges: 1 | 2 = 1): string | null {
  const taken = new Set(used.flatMap(({ cidr }) => rangesOf(cidr)));
  const first = Buffer.from(seed).reduce((sum, byte) => (sum * 31 + byte) % RANGES, 0);
  for (let n = 0; n < RANGES; n++) {
    const range = (first + n) % RANGES;
    const cidr = `${prefixOf(range)}.0/${25 - ranges}`;
    if (range % ranges === 0 && !rangesOf(cidr).some((each) => taken.has(each))) return cidr;
  }
  return null;
}

/** The prefixes of the ranges of a network. */
function rangesOf(cidr: string | null): string[] {
  if (cidr === null) return [];
  const [a = "", b = "", c = ""] = cidr.split(".");
  const second = [a, b, Number(c) + 1].join(".");
  return [[a, b, c].join("."), ...(cidr.endsWith("/23") ? [second] : [])];
}

/** In the networks of machines, clusters share the ports; null if there is none left. */
export function freePrimaryPort(used: UsedNetworks): number | null {
  const taken = new Set(used.filter(({ cidr }) => cidr === null).map((each) => each.primaryPort));
  for (let port = PRIMARY_PORT; port <= LAST_PORT; port++) if (!taken.has(port)) return port;
  return null;
}

export function addressIn(cidr: string, rank: number): string {
  return `${cidr.slice(0, cidr.lastIndexOf("."))}.${FIRST_HOST + rank}`;
}

function prefixOf(range: number): string {
  const number = FIRST_RANGE + range;
  return [number >> 16, (number >> 8) & 255, number & 255].join(".");
}
