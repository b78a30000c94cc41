// The acknowledgements of the run: every response that a client or a worker relies on. The verdict
// compares the service's data with them.

export interface Ledger {
  /** Acknowledged job ids by their number in the plan. */
  acknowledged: Map<number, string>;
  /** Outputs of acknowledged job-done posts, by job id. */
  recorded: Map<string, string[]>;
  /** Final responses to clients, by job id: the status and the output. */
  shown: Map<string, { status: string; output: string | undefined }>;
  /** Jobs whose cancellation was acknowledged, with the status in the response. */
  cancelled: Map<string, string>;
  /** The number of dispatches of each job. */
  dispatched: Map<string, number>;
  /** Jobs that a worker received again while it still worked on them. */
  retaken: Set<string>;
  /** Chunks that were acknowledged. */
  chunks: number;
  /** Posts that were repeated without a response, or that arrived late. */
  repeated: { submits: number; results: number; chunks: number; late: number };
  /** Jobs that a concurrency key held at the kills, summed over them. */
  heldAtKills: number;
  /** Violations that must never happen; a sentence each. */
  wrongs: string[];
}

export function newLedger(): Ledger {
  return {
    acknowledged: new Map(),
    recorded: new Map(),
    shown: new Map(),
    cancelled: new Map(),
    dispatched: new Map(),
    retaken: new Set(),
    chunks: 0,
    repeated: { submits: 0, results: 0, chunks: 0, late: 0 },
    heldAtKills: 0,
    wrongs: [],
  };
}
