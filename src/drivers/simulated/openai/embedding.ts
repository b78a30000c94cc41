// A vector of length 1 that depends on a text alone. Pure.

import { createHash } from "node:crypto";

export function embeddingOf(text: string, dimensions: number): Float32Array {
  const seed = createHash("sha256").update(text).digest();
  const bytes = new Uint32Array(dimensions);
  let state = seed.readUInt32LE() || 1;
  for (let at = 0; at < dimensions; at++) {
    // Marsaglia's xorshift, which never reaches 0.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state >>> 0;
  }
  const values = Float32Array.from(bytes, (each) => each / 2 ** 31 - 1);
  const norm = Math.hypot(...values) || 1;
  return values.map((value) => value / norm);
}
