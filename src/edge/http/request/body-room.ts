// The room for request bodies in memory. It counts bytes that have arrived, not announced ones, until
// the body is stored or dropped.

/** The bytes of one body. */
export interface HeldBytes {
  /** Takes room for more bytes; returns false if there is none. */
  take(bytes: number): boolean;
  /** Calls back once, when there may be room. */
  onRoom(listener: () => void): void;
  release(): void;
}

export class BodyRoom {
  readonly #limitBytes: number;
  #bytes = 0;
  readonly #bytesOf = new Map<string, number>();
  /** The bodies in the order of their arrival. */
  readonly #bodies = new Set<Body>();
  #waiting = new Map<Body, () => void>();

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The bytes that are held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Admits a body of an account. */
  admit(accountId: string): HeldBytes {
    const body = new Body(this, accountId);
    this.#bodies.add(body);
    return body;
  }

  /**
   * An account may hold as much as is left for the others, so that it alone gets half of the room and
   * several never fill it. The oldest body may exceed that: one body can always continue, even if all
   * the others wait.
   */
  take(body: Body, bytes: number): boolean {
    const accountBytes = this.#bytesOf.get(body.accountId) ?? 0;
    const [oldest] = this.#bodies;
    const hasRoom = accountBytes + bytes <= this.#limitBytes - this.#bytes;
    if (!hasRoom && body !== oldest) return false;
    this.#bytes += bytes;
    this.#bytesOf.set(body.accountId, accountBytes + bytes);
    return true;
  }

  release(body: Body, bytes: number): void {
    if (!this.#bodies.delete(body)) return;
    this.#bytes -= bytes;
    const left = (this.#bytesOf.get(body.accountId) ?? 0) - bytes;
    if (left > 0) this.#bytesOf.set(body.accountId, left);
    else this.#bytesOf.delete(body.accountId);
    this.#waiting.delete(body);
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const listener of waiting.values()) listener();
  }

  onRoom(body: Body, listener: () => void): void {
    this.#waiting.set(body, listener);
  }
}

class Body implements HeldBytes {
  readonly accountId: string;
  readonly #room: BodyRoom;
  #bytes = 0;

  constructor(room: BodyRoom, accountId: string) {
    this.#room = room;
    this.accountId = accountId;
  }

  take(bytes: number): boolean {
    const hasRoom = this.#room.take(this, bytes);
    if (hasRoom) this.#bytes += bytes;
    return hasRoom;
  }

  onRoom(listener: () => void): void {
    this.#room.onRoom(this, listener);
  }

  release(): void {
    this.#room.release(this, this.#bytes);
    this.#bytes = 0;
  }
}
