// Who and what is asked for in nearly every request, remembered between them: endpoints, keys and
// workers. A commit that changes any of them rings, and what was remembered is dropped.

import type { Clock } from "../base/clock.ts";
import { hashSecret } from "../base/ids.ts";
import type { ApiKey } from "../domain/account.ts";
import type { Endpoint } from "../domain/endpoint/endpoint.ts";
import type { Pod } from "../domain/pod/pod.ts";
import type { Session } from "../domain/session.ts";
import { keyByHash } from "../store/account/account.ts";
import { isDisabled } from "../store/account/standing.ts";
import { findEndpoint } from "../store/endpoint/endpoint.ts";
import { findPod } from "../store/pod/row.ts";
import { sessionByHash } from "../store/session/session.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import { type WorkerRow, workerByKey } from "../store/worker/worker.ts";
import { KeyUse } from "./account/key-use.ts";
import type { PodKeys } from "./pod/own-key.ts";

/** More than this and all is forgotten: a guess at random keys must not fill the memory. */
const MOST = 20_000;

/** And after this long, for a ring of another replica may be lost. */
const REMEMBERED_MS = 10_000;

/** Somebody's key, and the session that shows it. */
type Visitor = Extract<Holder, { kind: "account" }>;

/** Whom a key belongs to. */
export type Holder =
  | { kind: "account"; key: ApiKey; session: Session | null }
  | { kind: "worker"; worker: Pick<WorkerRow, "id" | "endpoint_id"> }
  | { kind: "pod"; pod: Pick<Pod, "id" | "accountId"> };

export class Directory {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #podKeys: PodKeys;
  #endpoints = new Map<string, Endpoint>();
  #holders = new Map<string, Holder>();
  #sessions = new Map<string, Visitor>();
  #forgetters = new Set<() => void>();
  #forgetAt = 0;
  /** When keys were last seen. */
  readonly uses: KeyUse;

  constructor({ store, clock, podKeys }: { store: Store; clock: Clock; podKeys: PodKeys }) {
    this.#store = store;
    this.#podKeys = podKeys;
    this.#clock = clock;
    this.uses = new KeyUse(clock);
    store.wakes.on(topic.directory, () => {
      this.#forget();
      for (const listener of [...this.#forgetters]) listener();
    });
  }

  /** An endpoint that is not deleted, at once if it is remembered. */
  endpoint(id: string): Endpoint | Promise<Endpoint | undefined> {
    if (this.#clock.now() >= this.#forgetAt) this.#forget();
    return this.#endpoints.get(id) ?? this.#ask(this.#endpoints, id, findEndpoint, id);
  }

  /** Whom this key opens something for, at once if it is remembered. */
  holder(secret: string): Holder | Promise<Holder | undefined> {
    if (this.#clock.now() >= this.#forgetAt) this.#forget();
    // Remembered by the key itself: its digest would cost more than all else in a small request.
    return (
      this.#holders.get(secret) ?? this.#ask(this.#holders, secret, this.#verbFor(secret), secret)
    );
  }

  /** Who has signed in, at once if it is remembered; nobody once the session is over. */
  visitor(secret: string): Visitor | undefined | Promise<Visitor | undefined> {
    if (this.#clock.now() >= this.#forgetAt) this.#forget();
    const known = this.#sessions.get(secret);
    if (known) return this.#unlessOver(known);
    const asked = this.#ask(this.#sessions, secret, visitorBySecret, secret);
    return asked.then((found) => this.#unlessOver(found));
  }

  #unlessOver(visitor: Visitor | undefined): Visitor | undefined {
    const over = (visitor?.session?.expiresAt ?? 0) <= this.#clock.now();
    return over ? undefined : visitor;
  }

  /** Calls back whenever what is remembered may be true no more, until told to stop. */
  onForget(listener: () => void): () => void {
    this.#forgetters.add(listener);
    return () => this.#forgetters.delete(listener);
  }

  #verbFor(secret: string): (secret: string) => Verb<Holder | undefined> {
    const podId = this.#podKeys.podOf(secret);
    return podId === null ? holderBySecret : () => podHolder(podId);
  }

  /** New maps, so that an answer that was asked for before is not remembered afterwards. */
  #forget(): void {
    this.#endpoints = new Map();
    this.#holders = new Map();
    this.#sessions = new Map();
    this.#forgetAt = this.#clock.now() + REMEMBERED_MS;
  }

  async #ask<Found>(
    memory: Map<string, Found>,
    name: string,
    verb: (name: string) => Verb<Found | undefined>,
    argument: string,
  ): Promise<Found | undefined> {
    const found = await this.#store.read(verb, argument);
    if (found === undefined) return undefined;
    if (memory.size >= MOST) memory.clear();
    memory.set(name, found);
    return found;
  }
}

function* podHolder(podId: string): Verb<Holder | undefined> {
  const pod = yield* findPod(podId);
  if (!pod || pod.state === "TERMINATED" || (yield* isDisabled(pod.accountId))) return undefined;
  return { kind: "pod", pod: { id: pod.id, accountId: pod.accountId } };
}

function* visitorBySecret(secret: string): Verb<Visitor | undefined> {
  const found = yield* sessionByHash(hashSecret(secret));
  return found && { kind: "account", ...found };
}

function* holderBySecret(secret: string): Verb<Holder | undefined> {
  const hash = hashSecret(secret);
  const key = yield* keyByHash(hash);
  if (key) return { kind: "account", key, session: null };
  const worker = yield* workerByKey(hash);
  return worker && { kind: "worker", worker: { id: worker.id, endpoint_id: worker.endpoint_id } };
}
