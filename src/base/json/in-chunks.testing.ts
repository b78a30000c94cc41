// How the tests of this room read a body: in chunks of given sizes, and waiting for a fault.
import assert from "node:assert/strict";
import { JsonFault } from "./fault.ts";
import { KeyTable } from "./keys.ts";
import type { Scanned } from "./outline.ts";
import { JsonScanner, type ScanOptions } from "./scanner.ts";

export const options: ScanOptions = {
  maxDepth: 64,
  keys: new KeyTable(["input", "output", "__proto__"]),
};
export const lenient: ScanOptions = { ...options, lenient: true };

/** Feeds the bytes in chunks of the given sizes, over and over. */
export function scanInChunks(bytes: Buffer, sizes: number[], how = options): Scanned {
  const scanner = new JsonScanner(how);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const next = at + sizes[turn % sizes.length]!;
    scanner.feed(bytes.subarray(at, next));
    at = next;
  }
  return scanner.end();
}

export function faultOf(run: () => unknown): JsonFault | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof JsonFault, String(error));
    return error;
  }
}
