// How long a hub that answers 429 asks its clients to wait: the RateLimit header of the IETF's draft, or Retry-After.

/** The hub's own client adds as much, because the header has whole seconds. */
const MARGIN_MS = 1_000;
/** Where the hub names no time. */
const DEFAULT_MS = 10_000;

export function rateLimitMs(headers: Headers, now: number): number {
  const [, remaining, reset] =
    /;\s*r=(\d+)\s*;\s*t=(\d+)/.exec(headers.get("ratelimit") ?? "") ?? [];
  if (reset !== undefined && Number(remaining) === 0) return Number(reset) * 1_000 + MARGIN_MS;
  const retryAfter = headers.get("retry-after");
  if (retryAfter === null) return DEFAULT_MS;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1_000 + MARGIN_MS;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? DEFAULT_MS : Math.max(0, at - now) + MARGIN_MS;
}
