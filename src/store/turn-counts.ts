// What a store's turns came to in this process so far, for whoever watches it.

export interface OneTurn {
  calls: number;
  /** Round trips to the database's server; none where it is a file. */
  rounds: number;
  /** From its beginning until everybody was told. */
  ms: number;
}

export class TurnCounts {
  turns = 0;
  failed = 0;
  calls = 0;
  rounds = 0;
  seconds = 0;

  turned({ calls, rounds, ms }: OneTurn, failed: boolean): void {
    this.turns += 1;
    this.calls += calls;
    this.rounds += rounds;
    this.seconds += ms / 1_000;
    if (failed) this.failed += 1;
  }
}
