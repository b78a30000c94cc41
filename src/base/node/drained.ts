// A wait for a stream that has too much to write.

import { once } from "node:events";
import type { Writable } from "node:stream";

/** Resolves once more can be written, or once `closing` has closed or failed. */
export async function drained(stream: Writable, closing: Writable = stream): Promise<void> {
  if (closing.destroyed) return;
  const ended = new AbortController();
  const { signal } = ended;
  await Promise.race([once(stream, "drain", { signal }), once(closing, "close", { signal })]).catch(
    () => {}, // a stream that has failed is destroyed
  );
  ended.abort();
}
