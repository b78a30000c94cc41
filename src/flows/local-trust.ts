// Whether callers of the loopback listener are this machine's operator. Then they read the metrics
// without a key, webhooks may go anywhere, and processes run by default. All of it ends with a public
// URL, a proxy domain, a second account, or a request that came through a reverse proxy.

import type { IncomingHttpHeaders } from "node:http";
import { listAccounts } from "../store/account/account.ts";
import { topic } from "../store/engine/notifier.ts";
import type { Store } from "../store/engine/store.ts";

interface LocalTrustOptions {
  store: Store;
  /** Whether only this machine reaches the service, as far as its configuration says. */
  isLocal: boolean;
}

export class LocalTrust {
  readonly #store: Store;
  readonly #listeners: (() => void)[] = [];
  #isLocal: boolean;

  constructor({ store, isLocal }: LocalTrustOptions) {
    this.#store = store;
    this.#isLocal = isLocal;
    // A new account has a new key.
    if (isLocal) store.notifier.on(topic.authCache, () => void this.holds().catch(() => {}));
  }

  /** What `holds` returned last. */
  get isLocal(): boolean {
    return this.#isLocal;
  }

  /** Calls back at the first request that came through a reverse proxy. */
  onForwarded(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async holds(): Promise<boolean> {
    if (this.#isLocal && (await this.#store.read(listAccounts)).length > 1) this.#isLocal = false;
    return this.#isLocal;
  }

  /** Notes the headers of a request. A reverse proxy on this machine connects from loopback. */
  note(headers: IncomingHttpHeaders): void {
    if (!this.#isLocal || !isForwarded(headers)) return;
    this.#isLocal = false;
    for (const listener of this.#listeners) listener();
  }
}

/** The headers by which reverse proxies name the caller. */
const FORWARDING = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "forwarded",
];

export const isForwarding = (header: string) => FORWARDING.includes(header);

const isForwarded = (headers: IncomingHttpHeaders) =>
  FORWARDING.some((name) => headers[name] !== undefined);
