// A minimal worker. It returns a greeting, or streams several if the input has a count:
//   {"name": "you"}              -> {"message": "Hello, you!"}
//   {"name": "you", "count": 3}  -> a stream of three chunks
// Run it without a server: node examples/hello.ts --test_input '{"input":{"name":"you"}}'

import { type Job, serve } from "../src/serve/serve.ts"; // in your own project: from "freehold-worker"

interface Input {
  name?: string;
  count?: number;
}

async function* greetings(name: string, count: number) {
  for (let number = 1; number <= count; number++) {
    yield { message: `Hello, ${name}!`, number };
  }
}

function handler({ input: { name = "world", count } }: Job<Input>) {
  return count ? greetings(name, count) : { message: `Hello, ${name}!` };
}

await serve({ handler, returnAggregateStream: true });
