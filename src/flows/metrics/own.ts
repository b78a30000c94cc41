// What this process counts of itself: turns of its loops, and requests that it answered.

export interface LoopCounts {
  turns: number;
  errors: number;
  seconds: number;
  /** The end of the last turn that did not fail. */
  succeededAt: number | null;
}

export interface RequestCounts {
  method: string;
  route: string;
  /** Of the status: "2xx". */
  statuses: string;
  n: number;
  seconds: number;
}

export class OwnCounts {
  readonly loops = new Map<string, LoopCounts>();
  readonly #requests = new Map<string, RequestCounts>();

  get requests(): Iterable<RequestCounts> {
    return this.#requests.values();
  }

  turned(loop: string, ms: number, endedAt: number, failed: boolean): void {
    const counts = this.loops.get(loop) ?? { turns: 0, errors: 0, seconds: 0, succeededAt: null };
    counts.turns += 1;
    counts.seconds += ms / 1_000;
    if (failed) counts.errors += 1;
    else counts.succeededAt = endedAt;
    this.loops.set(loop, counts);
  }

  /** `route` is the pattern, never what a client wrote: there are only so many. */
  answered(method: string, route: string, status: number, ms: number): void {
    const statuses = `${Math.floor(status / 100)}xx`;
    const name = `${method} ${route} ${statuses}`;
    let counts = this.#requests.get(name);
    if (!counts) {
      counts = { method, route, statuses, n: 0, seconds: 0 };
      this.#requests.set(name, counts);
    }
    counts.n += 1;
    counts.seconds += ms / 1_000;
  }
}
