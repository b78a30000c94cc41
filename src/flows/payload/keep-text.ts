// Brings a JSON text into the form the store keeps. A long one is written ahead in pieces, a turn
// for each, so that no other request waits for all of it.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { LongText } from "../../base/json/body.ts";
import { INLINE_BYTES, type KeptText, PIECE_BYTES, writePiece } from "../../store/payload.ts";
import type { Store } from "../../store/store.ts";

export async function keepText(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  text: LongText,
): Promise<KeptText> {
  if (text.length <= INLINE_BYTES) return { inline: text.subarray(0).toString("utf8") };
  const payload = ids.short(20);
  const last = Math.ceil(text.length / PIECE_BYTES) - 1;
  for (let part = 0; part < last; part++) {
    const piece = text.subarray(part * PIECE_BYTES, (part + 1) * PIECE_BYTES);
    await store.write(writePiece, payload, part, piece, text.length, clock.now());
  }
  const piece = { part: last, bytes: text.subarray(last * PIECE_BYTES) };
  return { payload, bytes: text.length, piece };
}
