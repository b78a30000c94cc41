// Reads a kept JSON text: at once where it is short, piece by piece where it is long. A job may be
// forgotten at any moment: what is gone is not found, and what goes while it is sent breaks off, so
// that nobody takes a part of it for the whole.

import { Fault } from "../../domain/fault.ts";
import { openPayload, readPiece, type StoredText } from "../../store/payload.ts";
import type { Store } from "../../store/store.ts";

/** A text that is either here, or long and read as it is sent. */
export type ReadText =
  | { text: string }
  | { bytes: number; pieces: () => AsyncIterable<Uint8Array> };

/** Throws `job_not_found` where the text is gone, and the job with it. */
export async function readText(
  store: Store,
  { inline, payload }: StoredText,
  jobId: string,
): Promise<ReadText | null> {
  if (inline !== null) return { text: inline };
  if (payload === null) return null;
  const opened = await store.read(openPayload, payload);
  if (!opened) throw new Fault("job_not_found", { id: jobId });
  const { bytes, first } = opened;
  return { bytes, pieces: () => piecesOf(store, payload, bytes, first) };
}

async function* piecesOf(
  store: Store,
  payload: string,
  bytes: number,
  first: Uint8Array,
): AsyncIterable<Uint8Array> {
  yield first;
  let sent = first.length;
  for (let part = 1; sent < bytes; part++) {
    const piece = await store.read(readPiece, payload, part);
    if (!piece)
      throw new Error(`${bytes - sent} of ${bytes} bytes were forgotten while they were sent`);
    yield piece;
    sent += piece.length;
  }
}
