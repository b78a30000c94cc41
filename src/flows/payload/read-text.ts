// Reads a kept JSON text: at once where it is short, piece by piece where it is long.

import { payloadBytes, readPiece, type StoredText } from "../../store/payload.ts";
import type { Store } from "../../store/store.ts";

/** A text that is either here, or long and read as it is sent. */
export type ReadText =
  | { text: string }
  | { bytes: number; pieces: () => AsyncIterable<Uint8Array> };

export async function readText(store: Store, stored: StoredText): Promise<ReadText | null> {
  const { inline, payload } = stored;
  if (inline !== null) return { text: inline };
  if (payload === null) return null;
  const bytes = await store.read(payloadBytes, payload);
  return { bytes, pieces: () => piecesOf(store, payload) };
}

async function* piecesOf(store: Store, payload: string): AsyncIterable<Uint8Array> {
  for (let part = 0; ; part++) {
    const piece = await store.read(readPiece, payload, part);
    if (!piece) return;
    yield piece;
  }
}
