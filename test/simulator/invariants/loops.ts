// What holds for loops: each has a pass again and again, as the metrics of the replicas count them.

import { type Invariant, Lasting, violate } from "./invariant.ts";

/** Twice the period of all loops but the slow ones. */
const PASS_MS = 130_000;
/** What is counted sooner tells nothing more, and a page of metrics costs as much as the other invariants together. */
const COUNTED_EVERY_MS = 30_000;
const SLOW_LOOPS = new Set([
  "sweep-uploads",
  "sweep-flash-archives",
  "watch-gpus",
  "official-templates",
  // On SQLite a simulated service has no heartbeats.
  "beat",
  "manage",
  "presence",
  "nodes",
]);
const PASSES = /^freehold_loop_turns_total\{loop="(.+)"\} (\d+)/gm;

export function loopInvariants(): Invariant[] {
  const idle = new Lasting(PASS_MS);
  let countedAt = Number.NEGATIVE_INFINITY;
  return [
    async ({ world }) => {
      if (world.ticks - countedAt < COUNTED_EVERY_MS) return;
      countedAt = world.ticks;
      // Counted for each replica: the passes of one may be as many as those of two were before one was cut off.
      const counts = new Map<string, string[]>();
      for (const { running } of world.serving) {
        const { text } = await world.router.send(`${running.origin}/metrics`, {
          method: "GET",
          headers: { authorization: `Bearer ${world.key}` },
          signal: new AbortController().signal,
        });
        for (const [, loop, count] of text.matchAll(PASSES))
          counts.set(loop!, [...(counts.get(loop!) ?? []), count!]);
      }
      const current = [...counts].filter(([loop]) => !SLOW_LOOPS.has(loop));
      const [first] = idle.tooLong(
        current.map(([loop, count]) => `${loop} after ${count.join(" + ")} passes`),
        world,
      );
      if (first) violate("a loop has another pass in time", first);
    },
  ];
}
