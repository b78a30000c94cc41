// The NVLinks of a GPU: which of them are down, and how their counters of errors rise from one reading to the next. Pure.

/** Counters since the driver was loaded. */
export interface LinkErrors {
  replay: number;
  recovery: number;
  crc: number;
}

export interface Nvlinks {
  /** The numbers of the links that are up. */
  active: readonly number[];
  /** The numbers of the links that are down, where the driver lists them. */
  inactive: readonly number[];
  /** The counters of each link, by its number. */
  errors: ReadonlyMap<number, LinkErrors>;
}

/** The links of each GPU that were up in some reading, by its UUID: cards may have no bridge, or one on some of their links. */
export type GpuLinks = Readonly<Record<string, readonly number[]>>;

/** Adds the links that are up now. Returns the same object if nothing is new. */
export function withActiveLinks(before: GpuLinks, read: ReadonlyMap<string, Nvlinks>): GpuLinks {
  const added = [...read].flatMap(([uuid, { active }]) => {
    const known = before[uuid] ?? [];
    const links = [...new Set([...known, ...active])].toSorted((a, b) => a - b);
    return links.length > known.length ? [[uuid, links] as const] : [];
  });
  return added.length === 0 ? before : { ...before, ...Object.fromEntries(added) };
}

export const withoutLinks = (before: GpuLinks, uuids: readonly string[]): GpuLinks =>
  Object.fromEntries(Object.entries(before).filter(([uuid]) => !uuids.includes(uuid)));

/** From so many other GPUs on that have all their links up, a GPU of their type with some of its own is on a board like theirs. */
const FEWEST_PEERS = 3;

/**
 * Which links of a GPU are down; null for none. `known` are those that were up before, and `peers` the other GPUs of its type on the
 * machine.
 */
export function linksDown(
  { active, inactive }: Nvlinks,
  known: readonly number[],
  peers: readonly Nvlinks[],
): string | null {
  const isBoard =
    active.length > 0 && peers.length >= FEWEST_PEERS && peers.every((peer) => isWholeUp(peer));
  const lost = known.filter((link) => !active.includes(link));
  const down = isBoard ? inactive : lost;
  if (down.length === 0) return null;
  if (active.length === 0) return "all its NVLinks are down that were up before";
  const all = new Set([...active, ...down]).size;
  return down.length === 1
    ? `its NVLink ${down[0]} of ${all} is down`
    : `its NVLinks ${down.join(", ")} of ${all} are down`;
}

const isWholeUp = ({ active, inactive }: Nvlinks) => active.length > 0 && inactive.length === 0;

/** From so many a second on, CRC errors count: some are normal. */
const CRC_A_SECOND = 100;

/** Which errors the links of a GPU had between two readings; null for none. A counter that fell was reset. */
export function linkErrors(before: Nvlinks, after: Nvlinks, seconds: number): string | null {
  const texts = [...after.errors].flatMap(([link, now]) => {
    const then = before.errors.get(link);
    if (!then) return [];
    const crc = Math.floor((now.crc - then.crc) / Math.max(1, seconds));
    const parts = [
      counted(now.replay - then.replay, "replay", "replays"),
      counted(now.recovery - then.recovery, "recovery", "recoveries"),
      crc >= CRC_A_SECOND ? `${crc} CRC errors a second` : "",
    ].filter((part) => part !== "");
    return parts.length > 0 ? [`NVLink ${link} had ${parts.join(", ")}`] : [];
  });
  return texts.length > 0 ? texts.join("; ") : null;
}

const counted = (n: number, one: string, many: string) =>
  n < 1 ? "" : `${n} ${n === 1 ? one : many}`;
