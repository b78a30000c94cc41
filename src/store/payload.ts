// Texts too long for a row: kept in pieces, so that no statement and no turn handles much at once.
// A payload is bound by the row that refers to it; one that never was is a submit that broke off.

import { Fault } from "../domain/fault.ts";
import { change, row, rows, sideBySide, type Verb } from "./statement.ts";

/** Up to this many bytes a text lives in its row; beyond, an update of the row would copy it. */
export const INLINE_BYTES = 2048;
export const PIECE_BYTES = 64 * 1024;

/** A JSON text as the store keeps it; `piece` is the last one, still to be written with the row. */
export type KeptText =
  | { inline: string }
  | { payload: string; bytes: number; piece: { part: number; bytes: Uint8Array } };

/** A JSON text as a row refers to it. */
export interface StoredText {
  inline: string | null;
  payload: string | null;
}

/** Writes one piece ahead of the row that will refer to it. */
export const writePiece = sideBySide(function* writePiece(
  id: string,
  part: number,
  bytes: Uint8Array,
  totalBytes: number,
  now: number,
): Verb<void> {
  if (part === 0) {
    yield* change(
      "insert into payload (id, bytes, bound, created_at) values (?, ?, 0, ?)",
      id,
      totalBytes,
      now,
    );
  }
  yield* change(
    "insert into payload_piece (payload_id, part, bytes) values (?, ?, ?)",
    id,
    part,
    bytes,
  );
});

/** Completes a text in the transaction of the row that refers to it; returns that row's columns. */
export function* bindText(text: KeptText | null, now: number): Verb<StoredText> {
  if (text === null) return { inline: null, payload: null };
  if ("inline" in text) return { inline: text.inline, payload: null };
  yield* writePiece(text.payload, text.piece.part, text.piece.bytes, text.bytes, now);
  const bound = yield* change("update payload set bound = 1 where id = ?", text.payload);
  // It was swept: whoever sends it took longer than any upload may.
  if (bound === 0) throw new Fault("store_unavailable", {});
  return { inline: null, payload: text.payload };
}

/** Its length and its first piece, in one look; null where it is gone. */
export function* openPayload(id: string): Verb<{ bytes: number; first: Uint8Array } | null> {
  const found = yield* row<{ bytes: number; first: Uint8Array }>(
    `select payload.bytes, piece.bytes as first from payload
     join payload_piece piece on piece.payload_id = payload.id and piece.part = 0
     where payload.id = ?`,
    id,
  );
  return found ?? null;
}

export function* readPiece(id: string, part: number): Verb<Uint8Array | null> {
  const found = yield* row<{ bytes: Uint8Array }>(
    "select bytes from payload_piece where payload_id = ? and part = ?",
    id,
    part,
  );
  return found?.bytes ?? null;
}

export function* dropPayload(id: string | null): Verb<void> {
  if (id === null) return;
  yield* change("delete from payload_piece where payload_id = ?", id);
  yield* change("delete from payload where id = ?", id);
}

/** Drops payloads older than `before` that no row ever came to refer to. */
export function* dropUnbound(before: number): Verb<number> {
  const orphans = yield* rows<{ id: string }>(
    `select id from payload where bound = 0 and created_at < ? limit 20
     /*+ for update skip locked */`,
    before,
  );
  for (const { id } of orphans) yield* dropPayload(id);
  return orphans.length;
}
