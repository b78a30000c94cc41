// Storing a JSON text. A long text is written in pieces before the row that refers to it, one
// transaction per piece, so that no other request waits for all of it.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { LongText } from "../../base/json/body.ts";
import type { TextToStore } from "../../domain/payload.ts";
import type { Store } from "../../store/engine/store.ts";
import { INLINE_BYTES, PIECE_BYTES } from "../../store/payload/payload.ts";
import { writeTextPiece } from "../../transactions/payload/write-piece.ts";

export async function storeText(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  text: LongText,
): Promise<TextToStore> {
  if (text.length <= INLINE_BYTES) return { inline: text.subarray(0).toString("utf8") };
  const payload = ids.short(20);
  const last = Math.ceil(text.length / PIECE_BYTES) - 1;
  for (let part = 0; part < last; part++) {
    const bytes = text.subarray(part * PIECE_BYTES, (part + 1) * PIECE_BYTES);
    const piece = { id: payload, part, bytes, totalBytes: text.length };
    await store.write(writeTextPiece, piece, clock.now());
  }
  const piece = { part: last, bytes: text.subarray(last * PIECE_BYTES) };
  return { payload, bytes: text.length, piece };
}
