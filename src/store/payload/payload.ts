// The tables `payload` and `payload_piece`: texts too long for a row, in pieces, so that no
// statement or batch handles much at once. A payload is bound when a row refers to it. One that
// stays unbound is from a request that broke off.

import { Fault } from "../../domain/fault.ts";
import { noText, type StoredText, type TextToStore } from "../../domain/payload.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

/** A text of up to this many bytes is stored in its row; an update of the row would copy a longer one. */
export const INLINE_BYTES = 2048;
export const PIECE_BYTES = 64 * 1024;

interface PayloadPiece {
  id: string;
  /** Counted from 0. */
  part: number;
  bytes: Uint8Array;
  /** The length of the whole text. */
  totalBytes: number;
}

/**
 * Writes one piece ahead of the row that will refer to it. Only one upload knows the id, so a piece that is there is
 * its own: the answer to its commit was lost, and it is written again.
 */
export function* writePiece({ id, part, bytes, totalBytes }: PayloadPiece, now: number): Tx<void> {
  if (part === 0) {
    yield* change(
      `insert into payload (id, bytes, bound, created_at) values (?, ?, 0, ?)
       on conflict (id) do nothing`,
      id,
      totalBytes,
      now,
    );
  }
  yield* change(
    `insert into payload_piece (payload_id, part, bytes) values (?, ?, ?)
     on conflict (payload_id, part) do nothing`,
    id,
    part,
    bytes,
  );
}

/** Completes a text in the transaction of the row that refers to it; returns that row's columns. */
export function* bindText(text: TextToStore | null, now: number): Tx<StoredText> {
  if (text === null) return noText;
  if ("inline" in text) return { inline: text.inline, payload: null };
  yield* writePiece({ ...text.piece, id: text.payload, totalBytes: text.bytes }, now);
  const bound = yield* change("update payload set bound = 1 where id = ?", text.payload);
  // It was swept: its upload took longer than an upload may.
  if (bound === 0) throw new Fault("store_unavailable", {});
  return { inline: null, payload: text.payload };
}

/** Reads a payload's length and first piece; null where it is gone. */
export function* openPayload(id: string): Tx<{ bytes: number; first: Uint8Array } | null> {
  const found = yield* row<{ bytes: number; first: Uint8Array }>(
    `select payload.bytes, piece.bytes as first from payload
     join payload_piece piece on piece.payload_id = payload.id and piece.part = 0
     where payload.id = ?`,
    id,
  );
  return found ?? null;
}

export function* readPiece(id: string, part: number): Tx<Uint8Array | null> {
  const found = yield* row<{ bytes: Uint8Array }>(
    "select bytes from payload_piece where payload_id = ? and part = ?",
    id,
    part,
  );
  return found?.bytes ?? null;
}

/** How a row that is not written yet will refer to the text. */
export function referenceTo(text: TextToStore | null): StoredText {
  if (text === null) return noText;
  return "inline" in text
    ? { inline: text.inline, payload: null }
    : { inline: null, payload: text.payload };
}

/** Returns the bytes that it frees. */
export function* dropPayload(id: string | null): Tx<number> {
  if (id === null) return 0;
  yield* change("delete from payload_piece where payload_id = ?", id);
  const found = yield* row<{ bytes: number }>(
    "delete from payload where id = ? returning bytes",
    id,
  );
  return Number(found?.bytes ?? 0);
}

/** Drops payloads created before an instant that no row refers to. */
export function* dropUnbound(before: number): Tx<number> {
  const orphans = yield* rows<{ id: string }>(
    `select id from payload where bound = 0 and created_at < ? limit 20
     /*+ for update skip locked */`,
    before,
  );
  for (const { id } of orphans) yield* dropPayload(id);
  return orphans.length;
}
