// The keys with which the provider signs. A token with an unknown key id has them read at once, a few times a
// minute, because forged tokens come at any rate.

import type { JWKS } from "openid-client";
import { type Clock, Deadline } from "../../base/clock.ts";
import { isObject } from "../../base/json/is-object.ts";
import { SignInProblem } from "../../domain/sign-in/problem.ts";

/** A key that the provider withdraws is trusted no longer than this. */
const KEYS_MS = 300_000;
const TIMEOUT_MS = 10_000;
const WINDOW_MS = 60_000;
const MAX_READS_PER_WINDOW = 6;

export class ProviderKeys {
  readonly #clock: Clock;
  #keys: { jwks: JWKS; until: Deadline } | null = null;
  /** One for each read of the last minute. */
  #reads: Deadline[] = [];
  #reading: Promise<JWKS> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null if they have to be read. */
  get current(): JWKS | null {
    return this.#keys && !this.#keys.until.isOver() ? this.#keys.jwks : null;
  }

  keep(jwks: JWKS): void {
    this.#keys = { jwks, until: new Deadline(this.#clock, KEYS_MS) };
  }

  /** Throws a SignInProblem. */
  async read(address: string | undefined): Promise<JWKS> {
    this.#reading ??= this.#readNow(address).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readNow(address: string | undefined): Promise<JWKS> {
    this.#reads = this.#reads.filter((read) => !read.isOver());
    if (this.#reads.length >= MAX_READS_PER_WINDOW) {
      const message = `the provider's keys were read ${MAX_READS_PER_WINDOW} times in the last minute and are read again after it`;
      throw new SignInProblem("unknown_key", message);
    }
    this.#reads.push(new Deadline(this.#clock, WINDOW_MS));
    const jwks = await fetchKeys(address).catch((error: Error) => {
      const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
      const message = `the provider's keys cannot be read: ${error.message}${cause}`;
      throw new SignInProblem("provider_unavailable", message);
    });
    this.keep(jwks);
    return jwks;
  }
}

async function fetchKeys(address: string | undefined): Promise<JWKS> {
  if (address === undefined) throw new Error("its discovery document has no jwks_uri");
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(address, { redirect: "error", signal });
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  const jwks: unknown = await response.json();
  const isSet = isObject(jwks) && Array.isArray(jwks.keys) && jwks.keys.every(isObject);
  if (!isSet) throw new Error(`${address} answers with no set of keys`);
  return jwks as unknown as JWKS;
}
