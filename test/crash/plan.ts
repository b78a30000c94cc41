// The plan of the run's jobs: everything follows from a job's number, so the verdict can compute
// its input and output.

import { createHash } from "node:crypto";

type Kind = "plain" | "long" | "stream" | "sync" | "cancelled";

export interface PlannedJob {
  n: number;
  kind: Kind;
  /** JSON text of the request's body. */
  body: string;
  chunks: number;
}

const LONG_CHARACTERS = 400_000;

export function planned(n: number): PlannedJob {
  const kind = kindOf(n);
  const filler = kind === "long" ? "long ".repeat(LONG_CHARACTERS / 5) : "";
  const body = JSON.stringify({
    input: { n, filler },
    ...(n % 3 === 0 && { policy: policyOf(n) }),
  });
  return { n, kind, body, chunks: kind === "stream" ? 1 + (n % 5) : 0 };
}

/** The limit of every concurrency key. */
export const KEY_LIMIT = 2;
const KEYS = 4;

/** Few keys, so that their jobs wait for each other. */
const policyOf = (n: number) => ({ concurrency: { key: `key-${n % KEYS}`, limit: KEY_LIMIT } });

function kindOf(n: number): Kind {
  if (n % 100 === 7) return "long";
  if (n % 25 === 3) return "cancelled";
  if (n % 20 === 11) return "sync";
  return n % 5 === 0 ? "stream" : "plain";
}

/** A job's input as the worker received it; its digest proves that it is complete. */
export interface JobInput {
  n: number;
  filler: string;
}

/** The output of one dispatch of a job, identified by `by`. */
export function outputOf(input: JobInput, by: string): string {
  const digest = createHash("sha256").update(JSON.stringify(input)).digest("hex");
  return JSON.stringify({ by, n: input.n, digest, echo: input.filler });
}

export function chunkOf(n: number, by: string, part: number): string {
  return JSON.stringify({ by, n, part });
}
