// Live updates: change events mark queries as stale, and active ones are read again. A query never runs
// twice at a time, however many events arrive.

import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { type Changes, isStale, type Key } from "./invalidation.ts";
import { isReachable } from "./retrying-fetch.ts";
import { notifySessionExpired, useSessionExpired } from "./session-expiry.ts";

/** Between two refetches of stale queries. */
const FLUSH_INTERVAL_MS = 400;

const REOPEN_DELAY_MS = 3_000;

/** A service that hangs keeps its connections open: after as long a silence, it is asked whether it answers. */
const MAX_SILENCE_MS = 10_000;

class StaleQueries {
  readonly #client: QueryClient;
  #stale = new Set<Query>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  markStale(matches: (key: Key) => boolean): void {
    for (const query of this.#client.getQueryCache().getAll()) {
      if (matches(query.queryKey as unknown as Key)) this.#stale.add(query);
    }
    this.#timer ??= setTimeout(() => this.#flush(), this.#hasFlushed ? FLUSH_INTERVAL_MS : 0);
  }

  #hasFlushed = false;

  #flush(): void {
    this.#timer = undefined;
    this.#hasFlushed = this.#stale.size > 0;
    for (const query of this.#stale) {
      // A running query may return older data, so it runs again afterwards.
      if (query.state.fetchStatus === "fetching") continue;
      this.#stale.delete(query);
      query.invalidate();
      if (query.isActive()) void query.fetch().catch(() => {});
    }
    if (this.#hasFlushed) this.#timer = setTimeout(() => this.#flush(), FLUSH_INTERVAL_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

type Connection = "connecting" | "live" | "broken";
let connection: Connection = "connecting";
const listeners = new Set<() => void>();

function setConnection(next: Connection): void {
  connection = next;
  for (const listener of listeners) listener();
}

/** Whether change events arrive. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connection,
  );
}

/** While the calling component is mounted and the session lasts. */
export function useLiveUpdates(): void {
  const client = useQueryClient();
  const isExpired = useSessionExpired();
  useEffect(() => {
    if (isExpired) return;
    const freshness = new StaleQueries(client);
    const events = new ChangeEvents(freshness);
    return () => {
      events.close();
      freshness.stop();
    };
  }, [client, isExpired]);
}

/** The stream of change events, opened again after each interruption. */
class ChangeEvents {
  readonly #freshness: StaleQueries;
  #source: EventSource;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(freshness: StaleQueries) {
    this.#freshness = freshness;
    this.#source = this.#open();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#source.close();
  }

  #open(): EventSource {
    const source = new EventSource("/v1/events");
    this.#watchSilence();
    source.onopen = () => {
      setConnection("live");
      this.#watchSilence();
    };
    source.addEventListener("again", () => {
      this.#watchSilence();
      this.#freshness.markStale(() => true);
    });
    source.addEventListener("change", ({ data }) => {
      this.#watchSilence();
      const changes = JSON.parse(data as string) as Changes;
      this.#freshness.markStale((key) => isStale(key, changes));
    });
    source.onerror = () => {
      setConnection("broken");
      // The stream was refused, not interrupted: the session may have expired.
      if (source.readyState === EventSource.CLOSED) void this.#checkSession(source);
    };
    return source;
  }

  #watchSilence(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#checkService(), MAX_SILENCE_MS);
  }

  async #checkService(): Promise<void> {
    const watched = this.#timer;
    const isAnswering = await isReachable();
    if (this.#isClosed || this.#timer !== watched) return;
    if (!isAnswering) setConnection("broken");
    if (isAnswering && this.#source.readyState === EventSource.OPEN) this.#watchSilence();
    else this.#reopen();
  }

  async #checkSession(source: EventSource): Promise<void> {
    const status = await fetch("/v1/session").then(
      (answer) => answer.status,
      () => null,
    );
    if (this.#isClosed || this.#source !== source) return;
    if (status === 401) notifySessionExpired();
    else this.#reopen();
  }

  #reopen(): void {
    this.#source.close();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#source = this.#open();
    }, REOPEN_DELAY_MS);
  }
}
