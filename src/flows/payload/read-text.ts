// Reading a stored JSON text: directly if it is short, piece by piece if it is long. A job can be
// deleted at any moment: a read of a deleted text fails, also in the middle, so that a client never
// takes a part for the whole.

import { yieldToEventLoop } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { StoredText } from "../../domain/payload.ts";
import type { Store } from "../../store/engine/store.ts";
import { openPayload, readPiece } from "../../store/payload/payload.ts";

/** After this many pieces, reading a text yields to other requests: neither a read nor a write to a quick client waits. */
const PIECES_PER_SLICE = 4;

/** A short text in memory, or a long text that is read while it is sent. */
export type ReadText =
  | { text: string }
  | { bytes: number; pieces: () => AsyncIterable<Uint8Array> };

/** Throws `job_not_found` if the text was deleted with its job. */
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
    if (part % PIECES_PER_SLICE === 0) await yieldToEventLoop();
    const piece = await store.read(readPiece, payload, part);
    if (!piece)
      throw new Error(`${bytes - sent} of ${bytes} bytes were deleted while the text was sent`);
    yield piece;
    sent += piece.length;
  }
}
