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

  of(host: string): Meaning | null {
    const known = this.#known.get(host);
    if (known !== undefined) return known;
    const meaning = this.#read(hostName(host));
    if (this.#known.size >= MAX_HOSTS) this.#known = new Map();
    this.#known.set(host, meaning);
    return meaning;
  }
}
