// Concatenation of JSON texts. Short ones become one string. If any is long, the result is streamed,
// with its length known in advance.

import { yieldToEventLoop } from "../../base/clock.ts";
import type { ReadText } from "./read-text.ts";

/** After this many bytes of several texts, each too short to yield by itself, their reading yields to other requests. */
const BYTES_PER_SLICE = 256 * 1024;

type Part = string | ReadText;

export function joinTexts(...parts: Part[]): ReadText {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else if ("text" in part) text += part.text;
    else return joinLong(parts);
  }
  return { text };
}

/** A JSON array of texts. */
export function joinTextArray(texts: ReadText[]): ReadText {
  return joinTexts("[", ...texts.flatMap((each, n) => (n === 0 ? [each] : [",", each])), "]");
}

function joinLong(parts: Part[]): ReadText {
  const texts = parts.map((part) => (typeof part === "string" ? { text: part } : part));
  const sizes = texts.map((each) => ("text" in each ? Buffer.byteLength(each.text) : each.bytes));
  async function* pieces() {
    let sliceBytes = 0;
    for (const [n, each] of texts.entries()) {
      if ("text" in each) yield Buffer.from(each.text);
      else yield* each.pieces();
      sliceBytes += sizes[n]!;
      if (sliceBytes < BYTES_PER_SLICE) continue;
      sliceBytes = 0;
      await yieldToEventLoop();
    }
  }
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), pieces };
}
