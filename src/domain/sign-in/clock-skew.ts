// The provider's clock against the service's, in seconds as tokens have them. Pure.

/** What a comparison of instants tolerates. */
export const CLOCK_TOLERANCE_S = 120;

const toS = (ms: number) => Math.floor(ms / 1_000);

/** Seconds that the service's clock is ahead of the system's. */
export const skewS = (now: number, systemNow: number) => toS(now - systemNow);

/** Seconds that a token was issued after now; null if clocks may differ by that. */
export function futureS(issuedAtS: number, now: number): number | null {
  const aheadS = issuedAtS - toS(now);
  return aheadS > CLOCK_TOLERANCE_S ? aheadS : null;
}

/** The library reads keys again at an unknown key id only if they are older than a minute. */
const STALE_S = 61;

/** When keys were read, for the library to take them as stale. */
export const staleKeysAt = (systemNow: number) => toS(systemNow) - STALE_S;
