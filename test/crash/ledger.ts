// What the service promised during the run: every answer it gave that a client or a worker relies
// on. The verdict holds the service to it.

export interface Ledger {
  /** Jobs by their number in the plan, each with the id that was acknowledged. */
  acknowledged: Map<number, string>;
  /** Outputs of job-done posts that were answered as recorded, by job id. */
  recorded: Map<string, string[]>;
  /** Final answers that a client was shown, by job id: its status and its output. */
  shown: Map<string, { status: string; output: string | undefined }>;
  /** Jobs whose cancellation was acknowledged, with the status that the answer carried. */
  cancelled: Map<string, string>;
  /** How often each job reached a worker. */
  dispatched: Map<string, number>;
  /** Jobs that a worker was given again while it still worked on them. */
  retaken: Set<string>;
  /** Chunks that were acknowledged. */
  chunks: number;
  /** Posts that were repeated because no answer came, or that came late. */
  repeated: { submits: number; results: number; chunks: number; late: number };
  /** What must never be seen; each a sentence. */
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
    wrongs: [],
  };
}
