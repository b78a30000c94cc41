// vitest's global setup: one Freehold for all test files, which find it by the variables.

import { type Freehold, startFreehold } from "./service.ts";

let freehold: Freehold | null = null;

export async function setup(): Promise<void> {
  freehold = await startFreehold();
}

export async function teardown(): Promise<void> {
  await freehold?.stop();
}
