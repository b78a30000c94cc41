// A shelf for logs that lasts as long as a test.

import type { LogShelf } from "./kept-logs.ts";

export function shelfInMemory(): LogShelf {
  const kept = new Map<string, Uint8Array[]>();
  return {
    pieces: async (id) => kept.get(id) ?? [],
    add: async (id, { bytes }) => void kept.set(id, [...(kept.get(id) ?? []), bytes]),
    forget: async (id) => void kept.delete(id),
  };
}
