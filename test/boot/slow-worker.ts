// A worker that takes as long as its job requests: {"ms": 500}.

import { type Job, serve } from "../../src/serve/serve.ts";

await serve({
  handler: async ({ input: { ms } }: Job<{ ms: number }>) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { slept: ms };
  },
});
