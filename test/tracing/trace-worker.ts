// A worker of the TypeScript library that returns what it knows of its trace.

import { serve } from "../../src/serve/serve.ts";

await serve({
  handler: (_job, { trace }) => ({ trace, start: process.env.TRACEPARENT ?? null }),
});
