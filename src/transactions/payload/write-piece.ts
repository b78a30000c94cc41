// A piece of a long text, in a commit of its own.

import { sideBySide, type Tx } from "../../store/engine/statement.ts";
import { writePiece } from "../../store/payload/payload.ts";

export const writeTextPiece = sideBySide(function* writeTextPiece(
  ...piece: Parameters<typeof writePiece>
): Tx<void> {
  yield* writePiece(...piece);
});
