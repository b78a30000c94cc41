// A worker that takes as long as its job requests: {"ms": 500}.

import { type Job, serve } from "../../src/serve/serve.ts";
import { pauseMs } from "../fixtures/time/pace.ts";

await serve({
  handler: async ({ input: { ms } }: Job<{ ms: number }>) => {
    await pauseMs(ms);
    return { slept: ms };
  },
});
