// What a Host header means, remembered: most requests come with one of a few.

import { hostName } from "./proxy-target.ts";

/** The cache is cleared beyond this size. */
const MAX_HOSTS = 10_000;

export class HostCache<Meaning> {
  readonly #read: (name: string) => Meaning | null;
  /** Null for a host that means nothing here. */
  #known = new Map<string, Meaning | null>();

  /** `read` gets the host's name, in lower case and without its port. */
  constructor(read: (name: string) => Meaning | null) {
    this.#read = read;
  }

  has(host: string | undefined): boolean {
    return host !== undefined && this.of(host) !== null;
  }

  /** Whether an Origin header names such a host. */
  hasOrigin(origin: string): boolean {
    return this.has(/^https?:\/\/(.+)$/.exec(origin)?.[1]);
  }

  of(host: string): Meaning | null {
    const known = this.#known.get(host);
    if (known !== undefined) return known;
    const meaning = this.#read(hostName(host));
    if (this.#known.size >= MAX_HOSTS) this.#known = new Map();
    this.#known.set(host, meaning);
    return meaning;
  }
}
