// A two-way pipe between two connections. If one ends, both end.

import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** TCP keep-alive keeps idle connections open through intermediaries and detects lost ends. */
const PROBE_MS = 60_000;

export function pipeBoth(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  for (const [mine, its] of [
    [one, other],
    [other, one],
  ] as const) {
    if (mine instanceof Socket) mine.setKeepAlive(true, PROBE_MS).setNoDelay(true);
    mine.on("error", () => its.destroy());
    mine.once("close", () => {
      if (mine.readableEnded) endThen(its);
      else its.destroy();
    });
  }
}

/** Sends pending bytes, then closes. */
function endThen(stream: Duplex): void {
  if (stream.writableFinished) return void stream.destroy();
  stream.once("finish", () => stream.destroy());
  stream.end();
}
