// What came of one history.

export interface Outcome {
  seed: number;
  replicas: number | null;
  /** How often each thing happened, by kind and name. */
  counts: Record<string, number>;
  steps: number;
  calls: number;
  virtualHours: number;
  cpuSeconds: number;
  /** The hash of everything that happened, in order. */
  trace: string;
  violation: { invariant: string; message: string; step: number; action: string } | null;
}

/** What an error of the simulation itself violates, such as a wait that did not end. */
export const NO_ERROR = "the simulation has no error";
