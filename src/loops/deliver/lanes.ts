// Who may be sent something now. Every endpoint has a lane of its own: a receiver that takes its
// time fills its own lane and no other, because an empty lane may always start one.

export class Lanes {
  readonly #most: number;
  readonly #mostPerLane: number;
  readonly #freed: () => void;
  #underWay = new Map<string, Promise<void>>();
  #perLane = new Map<string, number>();

  /** `most` in all, but for a lane's first one, and `mostPerLane` in each; `freed` tells of room. */
  constructor(most: number, mostPerLane: number, freed: () => void) {
    this.#most = most;
    this.#mostPerLane = mostPerLane;
    this.#freed = freed;
  }

  /** Runs the work unless it runs already or there is no room; it must not reject. */
  run(lane: string, id: string, work: () => Promise<void>): void {
    if (this.#underWay.has(id) || !this.#hasRoom(lane)) return;
    this.#perLane.set(lane, this.#inLane(lane) + 1);
    const ended = work().finally(() => this.#leave(lane, id));
    this.#underWay.set(id, ended);
  }

  /** Resolves when all that is under way has ended. */
  async empty(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  #hasRoom(lane: string): boolean {
    const inLane = this.#inLane(lane);
    return inLane === 0 || (inLane < this.#mostPerLane && this.#underWay.size < this.#most);
  }

  #inLane(lane: string): number {
    return this.#perLane.get(lane) ?? 0;
  }

  #leave(lane: string, id: string): void {
    this.#underWay.delete(id);
    const left = this.#inLane(lane) - 1;
    if (left === 0) this.#perLane.delete(lane);
    else this.#perLane.set(lane, left);
    this.#freed();
  }
}
