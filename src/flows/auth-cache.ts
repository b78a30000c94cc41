// A cache of what nearly every request needs: endpoints, keys, sessions and workers. A commit that
// changes any of them notifies, and the cache is cleared.

import type { Clock } from "../base/clock.ts";
import { hashSecret } from "../base/ids.ts";
import type { ApiKey } from "../domain/account.ts";
import type { Endpoint } from "../domain/endpoint/endpoint.ts";
import { isPodOf, type Pod } from "../domain/pod/pod.ts";
import type { Session } from "../domain/session.ts";
import type { Worker } from "../domain/worker/worker.ts";
import { isDisabled } from "../store/account/account.ts";
import { keyByHash } from "../store/api-key/api-key.ts";
import { findEndpoint, findEndpointOrDeleted } from "../store/endpoint/endpoint.ts";
import { topic } from "../store/engine/notifier.ts";
import type { Tx } from "../store/engine/statement.ts";
import type { Store } from "../store/engine/store.ts";
import { findPod } from "../store/pod/row.ts";
import { workerByKey } from "../store/worker/worker.ts";
import { findKeyedSession } from "../transactions/session/find.ts";
import { KeyUse } from "./account/key-use.ts";
import { Ownership } from "./member/ownership.ts";
import type { PodKeys } from "./pod/own-key.ts";

/** The cache is cleared beyond this size, so that it cannot fill the memory. */
const MOST = 20_000;

/** Notifications of other replicas can be lost, so entries also expire. */
const REMEMBERED_MS = 10_000;

/** An account's key, and the session that it was used with. */
type AccountPrincipal = Extract<Principal, { kind: "account" }>;

/** The owner of a credential. */
export type Principal =
  | { kind: "account"; key: ApiKey; session: Session | null }
  | { kind: "worker"; worker: Pick<Worker, "id" | "endpointId"> & { accountId: string } }
  | { kind: "pod"; pod: Pick<Pod, "id" | "accountId"> };

export class AuthCache {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #podKeys: PodKeys;
  #endpoints = new Memory<Endpoint>();
  #holders = new Memory<Principal>();
  #sessions = new Memory<AccountPrincipal>();
  #forgetters = new Set<() => void>();
  #forgetTicks = 0;
  /** When keys were last used. */
  readonly uses: KeyUse;
  /** What belongs to the members of keys. */
  readonly ownership: Ownership;

  constructor({ store, clock, podKeys }: { store: Store; clock: Clock; podKeys: PodKeys }) {
    this.#store = store;
    this.#podKeys = podKeys;
    this.#clock = clock;
    this.uses = new KeyUse(clock);
    this.ownership = new Ownership({ store, clock });
    store.notifier.on(topic.authCache, () => {
      this.#forget();
      for (const listener of [...this.#forgetters]) listener();
    });
  }

  /** An endpoint that is not deleted; synchronous if it is cached. */
  endpoint(id: string): Endpoint | Promise<Endpoint | undefined> {
    if (this.#clock.ticks() >= this.#forgetTicks) this.#forget();
    return this.#endpoints.found.get(id) ?? this.#ask(this.#endpoints, id, findEndpoint, id);
  }

  /** The owner of a key; synchronous if it is cached. */
  principal(secret: string): Principal | Promise<Principal | undefined> {
    if (this.#clock.ticks() >= this.#forgetTicks) this.#forget();
    // The cache key is the secret itself: hashing it would cost more than the rest of a small request.
    return (
      this.#holders.found.get(secret) ??
      this.#ask(this.#holders, secret, this.#verbFor(secret), secret)
    );
  }

  /** The owner of a session; synchronous if it is cached, undefined after the session has expired. */
  sessionPrincipal(
    secret: string,
  ): AccountPrincipal | undefined | Promise<AccountPrincipal | undefined> {
    if (this.#clock.ticks() >= this.#forgetTicks) this.#forget();
    const known = this.#sessions.found.get(secret);
    if (known) return this.#unlessOver(known);
    const loaded = this.#ask(this.#sessions, secret, sessionPrincipalBySecret, secret);
    return loaded.then((found) => this.#unlessOver(found));
  }

  #unlessOver(sessionPrincipal: AccountPrincipal | undefined): AccountPrincipal | undefined {
    const over = (sessionPrincipal?.session?.expiresAt ?? 0) <= this.#clock.now();
    return over ? undefined : sessionPrincipal;
  }

  /** Calls the listener when the cache is invalidated. Returns the function that unsubscribes it. */
  onInvalidate(listener: () => void): () => void {
    this.#forgetters.add(listener);
    return () => this.#forgetters.delete(listener);
  }

  #verbFor(secret: string): (secret: string) => Tx<Principal | undefined> {
    const podId = this.#podKeys.podOf(secret);
    return podId === null ? principalBySecret : () => podPrincipal(podId);
  }

  /** Replaces the memories, so that a load in progress does not write to the new ones. */
  #forget(): void {
    this.#endpoints = new Memory();
    this.#holders = new Memory();
    this.#sessions = new Memory();
    this.#forgetTicks = this.#clock.ticks() + REMEMBERED_MS;
  }

  /** After a change, everything open asks again: what depends on one key shares one read. */
  #ask<Found>(
    memory: Memory<Found>,
    name: string,
    transaction: (name: string) => Tx<Found | undefined>,
    argument: string,
  ): Promise<Found | undefined> {
    const pending = memory.pending.get(name);
    if (pending) return pending;
    const load = this.#load(memory, name, transaction, argument);
    memory.pending.set(name, load);
    return load;
  }

  async #load<Found>(
    { found: memory, pending }: Memory<Found>,
    name: string,
    transaction: (name: string) => Tx<Found | undefined>,
    argument: string,
  ): Promise<Found | undefined> {
    try {
      const found = await this.#store.read(transaction, argument);
      if (found === undefined) return undefined;
      if (memory.size >= MOST) memory.clear();
      memory.set(name, found);
      return found;
    } finally {
      pending.delete(name);
    }
  }
}

class Memory<Found> {
  readonly found = new Map<string, Found>();
  readonly pending = new Map<string, Promise<Found | undefined>>();
}

function* podPrincipal(podId: string): Tx<Principal | undefined> {
  const pod = yield* findPod(podId);
  if (!pod || !isPodOf(pod, pod.accountId) || (yield* isDisabled(pod.accountId))) return undefined;
  return { kind: "pod", pod: { id: pod.id, accountId: pod.accountId } };
}

function* sessionPrincipalBySecret(secret: string): Tx<AccountPrincipal | undefined> {
  const found = yield* findKeyedSession(hashSecret(secret));
  return found && { kind: "account", ...found };
}

function* principalBySecret(secret: string): Tx<Principal | undefined> {
  const hash = hashSecret(secret);
  const key = yield* keyByHash(hash);
  if (key) return { kind: "account", key, session: null };
  const worker = yield* workerByKey(hash);
  if (!worker) return undefined;
  const { id, endpointId } = worker;
  const endpoint = yield* findEndpointOrDeleted(endpointId);
  return endpoint && { kind: "worker", worker: { id, endpointId, accountId: endpoint.accountId } };
}
