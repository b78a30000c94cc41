// Counts what projects have used of GPUs as one number each, so that the line reads the usages of about an hour.

import type { Clock } from "../../base/clock.ts";
import { MINUTE_MS } from "../../base/units.ts";
import type { Store } from "../../store/engine/store.ts";
import { foldUse } from "../../transactions/gpu-use/shares.ts";
import type { Loop } from "../engine/loop.ts";

interface FoldDeps {
  store: Store;
  clock: Clock;
  shareHalfLifeMs: number;
}

export function foldGpuUseLoop({ store, clock, shareHalfLifeMs }: FoldDeps): Loop {
  return {
    name: "fold-gpu-use",
    shared: true,
    periodMs: 15 * MINUTE_MS,
    restMs: 1_000,
    topics: [],
    async run() {
      await store.write(foldUse, shareHalfLifeMs, clock.now());
      return null;
    },
  };
}
