// A local copy of the objects of one kind: a list in pages, then a watch. It keeps only what `select` returns of each
// object. A watch that ends is resumed after its last version; a version that is gone, or a copy that is old, leads to
// a new list. Its contents stay readable meanwhile.

import { type Clock, pause } from "../../../base/clock.ts";
import { MINUTE_MS } from "../../../base/units.ts";
import { DriverUnavailable } from "../../driver.ts";
import type { ApiClient, QueryParams } from "./api-client.ts";
import { ApiError, isGone } from "./api-error.ts";
import { jsonLines } from "./json-lines.ts";
import { type KubernetesObject, type ObjectList, objectKey } from "./objects.ts";

interface WatchCacheOptions<O extends KubernetesObject, T> {
  client: ApiClient;
  clock: Clock;
  /** Such as `/api/v1/pods`. */
  path: string;
  labelSelector?: string;
  /** What is kept of an object. */
  select(object: O): T;
}

/** Null for what did not exist before, or does not exist now. */
type ChangeListener<T> = (key: string, current: T | null, previous: T | null) => void;

interface WatchEvent<O> {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  object: O;
}

/** Bounds the memory of a list: an object may have tens of kilobytes. */
const PAGE_SIZE = 200;
/** The API server ends a watch after this time, so a connection that died without notice is replaced. */
const WATCH_SECONDS = 290;
/** Bookmarks come about once a minute. A longer silence means that the connection is dead. */
const SILENCE_MS = 150_000;
const RESYNC_MS = 30 * MINUTE_MS;
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;

export class WatchCache<O extends KubernetesObject, T> {
  readonly #options: WatchCacheOptions<O, T>;
  readonly #objects = new Map<string, { version: string; value: T }>();
  readonly #listeners = new Set<ChangeListener<T>>();
  readonly #closed = new AbortController();
  readonly #running: Promise<void>;
  #hasSynced = false;
  #syncWaiters: (() => void)[] = [];
  /** Why the last attempt to list or watch failed; null after a success. */
  #failure: Error | null = null;
  #listedAt = 0;

  constructor(options: WatchCacheOptions<O, T>) {
    this.#options = options;
    this.#running = this.#run();
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Resolves once the first list is complete, or the cache is closed. */
  synced(): Promise<void> {
    if (this.#hasSynced || this.#closed.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.#syncWaiters.push(resolve));
  }

  /** Throws DriverUnavailable if the contents may be old. */
  requireCurrent(): void {
    if (this.#failure) throw this.#failure;
    if (!this.#hasSynced) {
      throw new DriverUnavailable(
        `The Kubernetes API server at ${this.#options.client.server} has not answered yet.`,
      );
    }
  }

  get(key: string): T | undefined {
    return this.#objects.get(key)?.value;
  }

  values(): T[] {
    return [...this.#objects.values()].map(({ value }) => value);
  }

  get size(): number {
    return this.#objects.size;
  }

  onChange(listener: ChangeListener<T>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#listeners.clear();
    await this.#running;
    this.#notifySynced();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closed;
    let version: string | null = null;
    let pauseMs = MIN_PAUSE_MS;
    const succeed = () => {
      this.#failure = null;
      pauseMs = MIN_PAUSE_MS;
    };
    while (!signal.aborted) {
      try {
        if (version === null || clock.ticks() - this.#listedAt > RESYNC_MS) {
          version = await this.#list();
          succeed();
        }
        for await (const next of this.#watch(version)) {
          version = next;
          succeed();
        }
        await pause(clock, MIN_PAUSE_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (isGone(error)) version = null;
        else this.#failure = failureOf(error, this.#options.client.server);
        await pause(clock, pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      }
    }
  }

  /** Reads all objects in pages, and returns their version. */
  async #list(): Promise<string> {
    const { client, clock, path } = this.#options;
    const keys = new Set<string>();
    const startedAt = clock.ticks();
    let query: QueryParams = { ...this.#query(), limit: PAGE_SIZE };
    for (;;) {
      const { items, metadata } = await client.get<ObjectList<O>>(path, query);
      for (const object of items) {
        keys.add(objectKey(object));
        this.#put(object);
      }
      if (!metadata.continue) {
        for (const key of this.#objects.keys()) if (!keys.has(key)) this.#remove(key);
        this.#listedAt = startedAt;
        this.#notifySynced();
        return metadata.resourceVersion;
      }
      query = { ...query, continue: metadata.continue };
    }
  }

  /** Yields the version when the watch has begun, and after each event. */
  async *#watch(version: string): AsyncGenerator<string, void> {
    const { client, path } = this.#options;
    const query: QueryParams = {
      ...this.#query(),
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: version,
      timeoutSeconds: WATCH_SECONDS,
    };
    const silence = new AbortController();
    const signal = AbortSignal.any([this.#closed.signal, silence.signal]);
    let cancel = this.#abortAfterSilence(silence);
    try {
      const stream = await client.stream(path, query, signal);
      yield version;
      for await (const { type, object } of jsonLines<WatchEvent<O>>(stream)) {
        cancel();
        cancel = this.#abortAfterSilence(silence);
        if (type === "ERROR") throw errorIn(object);
        if (type === "DELETED") this.#remove(objectKey(object));
        else if (type !== "BOOKMARK") this.#put(object);
        yield object.metadata.resourceVersion;
      }
    } catch (error) {
      // The next watch continues after the last version.
      if (!silence.signal.aborted) throw error;
    } finally {
      cancel();
      silence.abort();
    }
  }

  #abortAfterSilence(silence: AbortController): () => void {
    return this.#options.clock.after(SILENCE_MS, () => silence.abort());
  }

  #query(): QueryParams {
    return { labelSelector: this.#options.labelSelector };
  }

  #put(object: O): void {
    const key = objectKey(object);
    const { resourceVersion: version } = object.metadata;
    const previous = this.#objects.get(key);
    if (previous?.version === version) return;
    const value = this.#options.select(object);
    this.#objects.set(key, { version, value });
    this.#notify(key, value, previous?.value ?? null);
  }

  #remove(key: string): void {
    const previous = this.#objects.get(key);
    if (previous === undefined) return;
    this.#objects.delete(key);
    this.#notify(key, null, previous.value);
  }

  #notify(key: string, current: T | null, previous: T | null): void {
    for (const listener of [...this.#listeners]) listener(key, current, previous);
  }

  #notifySynced(): void {
    this.#hasSynced ||= !this.#closed.signal.aborted;
    for (const resolve of this.#syncWaiters.splice(0)) resolve();
  }
}

/** The `Status` object of an ERROR event. */
function errorIn(object: unknown): ApiError {
  const { code = 500, reason = "", message = "" } = object as Partial<ApiError> & { code?: number };
  return new ApiError(code, reason, message);
}

function failureOf(error: unknown, server: string): Error {
  if (error instanceof DriverUnavailable) return error;
  return new DriverUnavailable(
    `The Kubernetes API server at ${server} cannot be watched: ${(error as Error).message}.`,
  );
}
