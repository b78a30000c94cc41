// A JSON text of any length, in two forms: as it is handed to the store, and as a row refers to it.

/** A text to store; `piece` is its last piece, which is written in the row's transaction. */
export type TextToStore =
  | { inline: string }
  | { payload: string; bytes: number; piece: { part: number; bytes: Uint8Array } };

/**
 * The location of a stored text: in its row, or in the payload with this id. Both are null if there
 * is no text.
 */
export interface StoredText {
  inline: string | null;
  payload: string | null;
}

export const noText: StoredText = { inline: null, payload: null };

/** The bytes of a text to store, in UTF-8; 0 for none. */
export function bytesOf(text: TextToStore | null): number {
  if (text === null) return 0;
  return "inline" in text ? Buffer.byteLength(text.inline) : text.bytes;
}
