// Keeps what is shown true: the service says what changed, and whatever shows it is read again. Nothing
// is read more often than it is answered, however much changes.

import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { type Changes, isStale, type Key } from "./kinds.ts";
import { sessionOver } from "./session-over.ts";

/** Between two looks at what is stale. */
const LOOK_MS = 400;

class Freshness {
  readonly #client: QueryClient;
  #stale = new Set<Query>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  note(isStaleNow: (key: Key) => boolean): void {
    for (const query of this.#client.getQueryCache().getAll()) {
      if (isStaleNow(query.queryKey as unknown as Key)) this.#stale.add(query);
    }
    this.#timer ??= setTimeout(() => this.#look(), this.#looked ? LOOK_MS : 0);
  }

  #looked = false;

  #look(): void {
    this.#timer = undefined;
    this.#looked = this.#stale.size > 0;
    for (const query of this.#stale) {
      // One that is being read may bring what was true before: it is read again afterwards.
      if (query.state.fetchStatus === "fetching") continue;
      this.#stale.delete(query);
      query.invalidate();
      if (query.isActive()) void query.fetch().catch(() => {});
    }
    if (this.#looked) this.#timer = setTimeout(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

type Connection = "connecting" | "live" | "broken";
let connection: Connection = "connecting";
const watchers = new Set<() => void>();

function setConnection(now: Connection): void {
  connection = now;
  for (const watcher of watchers) watcher();
}

/** Whether what is shown follows what happens. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => connection,
  );
}

/** For as long as the calling part is shown. */
export function useLive(): void {
  const client = useQueryClient();
  useEffect(() => {
    const freshness = new Freshness(client);
    let source: EventSource | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      source = new EventSource("/v1/events");
      source.onopen = () => setConnection("live");
      source.addEventListener("again", () => freshness.note(() => true));
      source.addEventListener("change", ({ data }) => {
        const changes = JSON.parse(data as string) as Changes;
        freshness.note((key) => isStale(key, changes));
      });
      source.onerror = () => {
        setConnection("broken");
        if (source?.readyState !== EventSource.CLOSED) return;
        // Refused, not cut: whoever is not signed in any more is told so.
        void fetch("/v1/session").then(
          ({ status }) => {
            if (status === 401) sessionOver();
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
  }, [client]);
}
