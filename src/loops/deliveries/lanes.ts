// Limits concurrent deliveries, in all and per endpoint. Every endpoint has a lane of its own: a slow
// receiver fills its own lane and no other, because an empty lane may always start one.

export class Lanes {
  readonly #max: number;
  readonly #maxPerLane: number;
  readonly #onRoom: () => void;
  #running = new Map<string, Promise<void>>();
  #perLane = new Map<string, number>();

  /**
   * At most `max` in all, not counting the first of each lane, and `maxPerLane` in each. `onRoom` is
   * called when one has ended.
   */
  constructor(max: number, maxPerLane: number, onRoom: () => void) {
    this.#max = max;
    this.#maxPerLane = maxPerLane;
    this.#onRoom = onRoom;
  }

  /** Runs the work unless it runs already or there is no room. The work must not reject. */
  run(lane: string, id: string, work: () => Promise<void>): void {
    if (this.#running.has(id) || !this.#hasRoom(lane)) return;
    this.#perLane.set(lane, this.#inLane(lane) + 1);
    const ended = work().finally(() => this.#leave(lane, id));
    this.#running.set(id, ended);
  }

  /** Resolves when everything that runs has ended. */
  async empty(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #hasRoom(lane: string): boolean {
    const inLane = this.#inLane(lane);
    return inLane === 0 || (inLane < this.#maxPerLane && this.#running.size < this.#max);
  }

  #inLane(lane: string): number {
    return this.#perLane.get(lane) ?? 0;
  }

  #leave(lane: string, id: string): void {
    this.#running.delete(id);
    const left = this.#inLane(lane) - 1;
    if (left === 0) this.#perLane.delete(lane);
    else this.#perLane.set(lane, left);
    this.#onRoom();
  }
}
