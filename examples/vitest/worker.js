import { serve } from "freehold-worker";

await serve({ handler: ({ input }) => ({ message: `Hello, ${input.name}` }) });
