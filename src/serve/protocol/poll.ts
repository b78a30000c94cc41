// A long poll, repeated: the server holds it until it has an answer. A poll that the server answers at
// once without content, refuses or drops is repeated with back-off, so that a faulty server does not
// make a worker spin.

import type { Environment } from "../environment.ts";
import type { Log } from "../log.ts";
import { Backoff, MAX_BACKOFF_MS } from "./backoff.ts";
import type { Http, Reply } from "./http.ts";

/** Servers hold a poll for some 20 seconds; after this time the connection counts as broken. */
const POLL_MS = 90_000;
/** An empty answer that comes sooner was not held by the server. */
const MIN_HOLD_MS = 250;

export class Poll {
  readonly #name: string;
  readonly #environment: Environment;
  readonly #http: Http;
  readonly #log: Log;
  readonly #backoff: Backoff;
  #lastFailure = "";

  constructor(name: string, deps: { environment: Environment; http: Http; log: Log }) {
    this.#name = name;
    this.#environment = deps.environment;
    this.#http = deps.http;
    this.#log = deps.log;
    this.#backoff = new Backoff(deps.environment.random);
  }

  /**
   * Polls once and passes the text of a 200 to `use`, which returns whether it contained anything new.
   * Resolves when it is time for the next poll.
   */
  async run(
    address: string,
    signal: AbortSignal,
    use: (text: string) => boolean,
  ): Promise<unknown> {
    const startedAt = this.#environment.now();
    let reply: Reply;
    try {
      reply = await this.#http.call({ method: "GET", address, idleMs: POLL_MS, signal });
    } catch (error) {
      if (!signal.aborted) await this.#backOff(String(error), signal);
      return;
    }
    if (reply.status === 200 && use(reply.text)) return this.#recordSuccess();
    if (reply.status === 429) return this.#environment.sleep(MAX_BACKOFF_MS, signal);
    // Some platforms answer 400 to a paused worker.
    const isEmpty = [200, 204, 400].includes(reply.status);
    if (!isEmpty) return this.#backOff(`HTTP ${reply.status}`, signal);
    if (this.#environment.now() - startedAt >= MIN_HOLD_MS) return this.#recordSuccess();
    await this.#environment.sleep(this.#backoff.next(), signal);
  }

  #recordSuccess(): void {
    if (this.#lastFailure) this.#log.info(`${this.#name} answers again`);
    this.#lastFailure = "";
    this.#backoff.reset();
  }

  /** Logs a failure once, however often it repeats. */
  #backOff(failure: string, signal: AbortSignal): Promise<unknown> {
    if (failure !== this.#lastFailure) this.#log.warn(`${this.#name}: ${failure}`);
    this.#lastFailure = failure;
    return this.#environment.sleep(this.#backoff.next(), signal);
  }
}
