// Buffers for the bytes of large bodies, used again and again. For a new one, the system clears memory page by page, and V8
// collects garbage: that costs more than all else that a proxy or a download does with the bytes.

import { countBuffer } from "./memory.ts";

/** A large body arrives and leaves in few system calls, and two such buffers fit into a processor's cache. */
export const LARGE_BYTES = 262_144;
const MAX_SPARE = 16;

const spare: Buffer[] = [];

/** It holds what its last user left in it. */
export function takeLargeBuffer(): Buffer {
  const buffer = spare.pop();
  if (buffer) return buffer;
  countBuffer(LARGE_BYTES);
  return Buffer.allocUnsafeSlow(LARGE_BYTES);
}

/** Nothing may use it any more. A buffer that may still be in use is left to the garbage collection. */
export function releaseLargeBuffer(buffer: Buffer): void {
  if (spare.length < MAX_SPARE) spare.push(buffer);
}
