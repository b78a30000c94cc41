// What a worker is doing, in a word.

import type { Schema } from "../../api/client.ts";
import { Status, type Tone } from "../../parts/status.tsx";

const shown: Record<Schema["Worker"]["phase"], [Tone, string]> = {
  starting: ["info", "Starting"],
  idle: ["off", "Idle"],
  busy: ["good", "Busy"],
  draining: ["warn", "Draining"],
  unhealthy: ["bad", "Unhealthy"],
  ended: ["off", "Ended"],
};

export function WorkerPhase({ worker }: { worker: Pick<Schema["Worker"], "phase"> }) {
  const [tone, word] = shown[worker.phase];
  return <Status tone={tone}>{word}</Status>;
}
