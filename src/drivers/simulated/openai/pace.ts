// Sends tokens at their rate.

export interface PaceClock {
  /** Monotonic milliseconds. */
  ticks(): number;
  pause(delayMs: number): Promise<void>;
}

/** The shortest time between two pieces: a faster rate has several tokens in one. */
const MIN_PIECE_MS = 10;

export function durationMs(tokens: number, tokensPerSecond: number): number {
  return Math.ceil((tokens * 1_000) / tokensPerSecond);
}

/** Each piece is what became due since the one before it. */
export async function* piecesAtRate(
  events: readonly string[],
  tokensPerSecond: number,
  clock: PaceClock,
): AsyncGenerator<string, void> {
  const startTicks = clock.ticks();
  for (let sent = 0; sent < events.length; ) {
    const dueMs = startTicks + durationMs(sent + 1, tokensPerSecond) - clock.ticks();
    await clock.pause(Math.max(dueMs, MIN_PIECE_MS));
    const dueTokens = Math.floor(((clock.ticks() - startTicks) * tokensPerSecond) / 1_000);
    const end = Math.max(sent + 1, dueTokens);
    yield events.slice(sent, end).join("");
    sent = end;
  }
}
