// Two connections made one: what comes from either goes to the other, and with one both end.

import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Often enough for whoever forgets silent connections on the way, and to hear of ends that were lost. */
const PROBE_MS = 60_000;

export function passThrough(one: Duplex, other: Duplex): void {
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

/** What was said to the end is still heard to the end. */
function endThen(stream: Duplex): void {
  if (stream.writableFinished) return void stream.destroy();
  stream.once("finish", () => stream.destroy());
  stream.end();
}
