// The keys that the transactions of a batch touched, each once.

/** A key of an endpoint with the limit that a transaction knows of it. */
export interface Touch<Limit extends { key: string }> {
  endpointId: string;
  limit: Limit;
  /** True if a submission named the limit: it replaces the present one. */
  newest: boolean;
  /** True if a key without live jobs is deleted: a sweep found it idle. */
  forget: boolean;
  now: number;
}

export class Touches<Limit extends { key: string }> {
  readonly #byName = new Map<string, Touch<Limit>>();

  add(touch: Touch<Limit>): void {
    const name = JSON.stringify([touch.endpointId, touch.limit.key]);
    const before = this.#byName.get(name);
    // The limit of the newest submission of the batch is kept.
    const { limit, newest } = before?.newest && !touch.newest ? before : touch;
    const forget = touch.forget || before?.forget === true;
    const now = Math.max(before?.now ?? 0, touch.now);
    this.#byName.set(name, { endpointId: touch.endpointId, limit, newest, forget, now });
  }

  inOrder(): Touch<Limit>[] {
    return [...this.#byName.keys()].sort().map((name) => this.#byName.get(name)!);
  }
}
