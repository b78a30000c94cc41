// One question asked over and over, for a server that holds it until there is an answer. What the
// server should have held but answered at once, refused or dropped is asked again with back-off,
// so that no fault of a server makes a worker spin.

import { Backoff, LONGEST_MS } from "./backoff.ts";
import type { Http, Reply } from "./http.ts";
import type { Log } from "./log.ts";
import type { World } from "./world.ts";

/** Servers hold a poll for some 20 seconds; one that says nothing for so long is gone. */
const POLL_MS = 90_000;
/** An empty answer that came sooner was not held. */
const HELD_MS = 250;

export class Poll {
  readonly #name: string;
  readonly #world: World;
  readonly #http: Http;
  readonly #log: Log;
  readonly #backoff: Backoff;
  #complaint = "";

  constructor(name: string, parts: { world: World; http: Http; log: Log }) {
    this.#name = name;
    this.#world = parts.world;
    this.#http = parts.http;
    this.#log = parts.log;
    this.#backoff = new Backoff(parts.world.random);
  }

  /**
   * Asks once and gives a 200's text to `use`, which says whether there was anything new in it.
   * Resolves when it is right to ask again.
   */
  async ask(
    address: string,
    signal: AbortSignal,
    use: (text: string) => boolean,
  ): Promise<unknown> {
    const askedAt = this.#world.now();
    let reply: Reply;
    try {
      reply = await this.#http.call({ method: "GET", address, idleMs: POLL_MS, signal });
    } catch (error) {
      if (!signal.aborted) await this.#missed(String(error), signal);
      return;
    }
    if (reply.status === 200 && use(reply.text)) return this.#went();
    if (reply.status === 429) return this.#world.sleep(LONGEST_MS, signal);
    // 400 is how some platforms say that a worker is paused.
    const empty = [200, 204, 400].includes(reply.status);
    if (!empty) return this.#missed(`HTTP ${reply.status}`, signal);
    if (this.#world.now() - askedAt >= HELD_MS) return this.#went();
    await this.#world.sleep(this.#backoff.next(), signal);
  }

  #went(): void {
    if (this.#complaint) this.#log.info(`${this.#name} answers again`);
    this.#complaint = "";
    this.#backoff.reset();
  }

  /** The same complaint is made once, however often the same thing happens. */
  #missed(complaint: string, signal: AbortSignal): Promise<unknown> {
    if (complaint !== this.#complaint) this.#log.warn(`${this.#name}: ${complaint}`);
    this.#complaint = complaint;
    return this.#world.sleep(this.#backoff.next(), signal);
  }
}
