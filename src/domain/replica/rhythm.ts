// How often a replica says that it is there, and what follows from its silence. Pure.

export interface Rhythm {
  /** Between two beats. */
  beatMs: number;
  /** How long a duty stays with a holder that is not heard of. */
  leaseMs: number;
  /** A replica silent for this long is given no new workers and asked for nothing. */
  goneMs: number;
}

export function rhythmOf(beatMs: number): Rhythm {
  return { beatMs, leaseMs: 5 * beatMs, goneMs: 8 * beatMs };
}
