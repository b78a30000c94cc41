// The NVLinks of a GPU: which of them are down, and how their counters of errors rise from one reading to the next. Pure.

/** Counters since the driver was loaded. */
export interface LinkErrors {
  replay: number;
  recovery: number;
  crc: number;
}

export interface Nvlinks {
  active: number;
  /** The numbers of the links that are down, where the driver lists them. */
  inactive: readonly number[];
  /** The counters of each link, by its number. */
  errors: ReadonlyMap<number, LinkErrors>;
}

/** A GPU without an active link beside so many others is not a card that has no bridge. */
const FEWEST_PEERS = 3;

/** Which links of a GPU are down; null for none. `peers` are the other GPUs of its type on the machine. */
export function linksDown({ active, inactive }: Nvlinks, peers: readonly Nvlinks[]): string | null {
  if (active > 0) {
    const all = active + inactive.length;
    if (inactive.length === 0) return null;
    return inactive.length === 1
      ? `its NVLink ${inactive[0]} of ${all} is down`
      : `its NVLinks ${inactive.join(", ")} of ${all} are down`;
  }
  if (peers.length < FEWEST_PEERS || peers.some((peer) => peer.active === 0)) return null;
  return "all its NVLinks are down, and those of the other GPUs are not";
}

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
