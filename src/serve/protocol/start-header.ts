// The header in which a worker says how its start went: how long ago its process began, and how long ago the module of
// its handler had been loaded. Freehold shows both in the worker's cold start; other servers ignore it.

import type { Environment } from "../environment.ts";

const HEADER = "Freehold-Worker-Start";

/** The header of each call, counted from now on. */
export function startHeader(environment: Environment): () => Record<string, string> {
  const loadedAt = environment.now();
  return () => {
    const now = environment.now();
    return { [HEADER]: `process=${now}, loaded=${now - loadedAt}` };
  };
}
