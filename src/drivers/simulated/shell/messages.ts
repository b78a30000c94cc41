// What the service and the thread of the simulated shells tell each other.

import type { ExecRequest } from "../../driver.ts";
import type { SimulatedGpus } from "../gpu/simulated-gpus.ts";

/** What programs in a simulated Pod say about it. */
export interface SimulatedPodFacts {
  id: string;
  env: Record<string, string>;
  command: string[];
  vcpus: number;
  memoryBytes: number;
  diskBytes: number;
  startedAt: number;
  /** The instant on the service's clock at which the command began. */
  at: number;
  gpus: SimulatedGpus;
  volumes: MountedFolder[];
}

/** A real folder of a volume, and where the Pod sees it. */
export interface MountedFolder {
  folder: string;
  mountPath: string;
  /** The size of the volume; null if it has none. */
  sizeBytes: number | null;
}

/**
 * How many bytes of a command's output may wait for its reader before it runs no further, and how many of its
 * input may wait for it.
 */
export const WINDOW_BYTES = 262_144;

/** `run` numbers a command, `reply` a question. */
export type ToThread =
  | { kind: "start"; run: number; pod: SimulatedPodFacts; request: ExecRequest }
  | { kind: "input"; run: number; bytes: Uint8Array }
  | { kind: "endInput"; run: number }
  /** The client has taken this much output. */
  | { kind: "read"; run: number; bytes: number }
  | { kind: "ping" }
  | { kind: "resize"; run: number; cols: number }
  | { kind: "end"; run: number }
  | { kind: "slept"; reply: number }
  | { kind: "forget"; pod: string };

export type FromThread =
  | { kind: "output"; run: number; output: "stdout" | "stderr"; bytes: Uint8Array }
  /** There is room for more input. */
  | { kind: "taken"; run: number }
  | { kind: "pong" }
  | { kind: "exit"; run: number; exitCode: number | null }
  | { kind: "sleep"; run: number; reply: number; ms: number };
