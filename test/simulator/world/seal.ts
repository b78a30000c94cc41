// Makes a process repeatable: random numbers come from a seed, and nothing waits for a disk. Called before the
// service's modules are loaded.

import crypto from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { seeded } from "../../../sim/day/seeded.ts";

/**
 * Returns how to begin another history in the same process. With a database server, which answers when it likes, nothing is
 * repeated by standing ticks, and the limits of waits for it would never end.
 */
export function sealProcess(first: number, hasServer: boolean): (seed: number) => void {
  let random = seeded(first);
  const fill = <Bytes extends NodeJS.ArrayBufferView>(into: Bytes): Bytes => {
    const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
    for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(random.next() * 256);
    return into;
  };
  const randomBytes = (length: number) => fill(Buffer.alloc(length));
  Object.assign(crypto, { randomBytes, randomFillSync: fill });
  Math.random = () => random.next();
  // How long a sync takes decides how later ones are made.
  if (!hasServer) performance.now = () => 0;
  const synced = (_: number, done: (error: null) => void) => setImmediate(done, null);
  Object.assign(fs, { fsync: synced, fdatasync: synced, fsyncSync() {}, fdatasyncSync() {} });
  syncBuiltinESMExports();
  return (seed) => {
    random = seeded(seed);
  };
}
