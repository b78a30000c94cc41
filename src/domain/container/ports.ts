// A Pod's ports, and the public ports that lead to them. Pure.

/** The public ports of a machine, both ends included. */
export interface PortRange {
  first: number;
  last: number;
}

/** How many ports a Pod or a template may request, and how many public ports an account may have. */
export interface PortLimits {
  perPod: number;
  perAccount: number;
}

/** From the requested port to the public one. */
export type PublicPorts = Record<string, number>;

/**
 * A tcp port above this is symmetrical: the container's port is the same as the public one. The container
 * reads its number from the environment.
 */
export const LARGEST_PORT = 65_535;

export const httpPorts = (ports: readonly string[]): number[] => portsOf(ports, "/http");

export const tcpPorts = (ports: readonly string[]): number[] => portsOf(ports, "/tcp");

const MAX_ERRORS = 10;

/** A sentence for each of the first invalid ports of a Pod or a template. */
export function validatePorts(ports: readonly string[]): string[] {
  const invalid = ports.filter((port) => {
    const number = Number.parseInt(port, 10);
    return !(number >= 1 && (number <= LARGEST_PORT || port.endsWith("/tcp")));
  });
  const symmetrical = "70000/tcp and above request a port that is the same inside and outside";
  return invalid
    .slice(0, MAX_ERRORS)
    .map(
      (port) =>
        `"ports" holds "${port}"; a port is a number from 1 to ${LARGEST_PORT}; ${symmetrical}.`,
    );
}

/** A sentence if there are too many of them. */
export function tooManyPorts(ports: readonly string[], { perPod }: PortLimits): string[] {
  if (ports.length <= perPod) return [];
  return [`"ports" holds ${ports.length} ports; a Pod or template may have ${perPod}.`];
}

/** The container's end of a public port. */
export function insidePort(requested: number, publicPort: number): number {
  return requested > LARGEST_PORT ? publicPort : requested;
}

/**
 * A public port for each requested one: its current one, or one that is free. `seed` decides where the
 * search begins, so that a retry draws other ports. Null if too few are free.
 */
export function drawPorts(
  requested: readonly number[],
  current: PublicPorts,
  { taken, range, seed }: { taken: ReadonlySet<number>; range: PortRange; seed: string },
): PublicPorts | null {
  const { first, last } = range;
  const count = last - first + 1;
  const unchanged = requested.filter((port) => current[port] !== undefined);
  const drawn: PublicPorts = Object.fromEntries(unchanged.map((port) => [port, current[port]!]));
  const used = new Set([...taken, ...Object.values(drawn)]);
  let at = digest(seed) % count;
  let tries = 0;
  for (const port of requested) {
    if (drawn[port] !== undefined) continue;
    while (tries < count && used.has(first + at)) {
      at = (at + 1) % count;
      tries++;
    }
    if (tries >= count) return null;
    used.add(first + at);
    drawn[port] = first + at;
  }
  return drawn;
}

/** What the draw of a Pod's public ports depends on. */
interface PortDraw {
  id: string;
  desired: { generation: number };
  backoff: { failedStarts: { count: number } | null };
}

/** Differs for each container and each failed start. */
export const drawSeed = ({ id, desired: { generation }, backoff: { failedStarts } }: PortDraw) =>
  `${id} ${generation} ${failedStarts?.count ?? 0}`;

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
