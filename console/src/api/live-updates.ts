// Live updates: change events mark queries as stale, and active ones are read again. A query never runs
// twice at a time, however many events arrive.

import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { type Changes, isStale, type Key } from "./invalidation.ts";
import { notifySessionExpired, useSessionExpired } from "./session-expiry.ts";

/** Between two refetches of stale queries. */
const FLUSH_INTERVAL_MS = 400;

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
    let source: EventSource | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      source = new EventSource("/v1/events");
      source.onopen = () => setConnection("live");
      source.addEventListener("again", () => freshness.markStale(() => true));
      source.addEventListener("change", ({ data }) => {
        const changes = JSON.parse(data as string) as Changes;
        freshness.markStale((key) => isStale(key, changes));
      });
      source.onerror = () => {
        setConnection("broken");
        if (source?.readyState !== EventSource.CLOSED) return;
        // The stream was refused, not interrupted: the session may have expired.
        void fetch("/v1/session").then(
          ({ status }) => {
            if (status === 401) notifySessionExpired();
            else retry = setTimeout(open, 3_000);
          },
          () => {
            retry = setTimeout(open, 3_000);
          },
        );
      };
    };
    open();
    return () => {
      clearTimeout(retry);
      source?.close();
      freshness.stop();
    };
  }, [client, isExpired]);
}
