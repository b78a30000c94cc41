// The phase of a worker as a badge.

import type { Schema } from "../../api/client.ts";
import { Status, type Tone } from "../../components/data/status.tsx";

const phaseLabels: Record<Schema["Worker"]["phase"], [Tone, string]> = {
  starting: ["info", "Starting"],
  idle: ["off", "Idle"],
  busy: ["good", "Busy"],
  draining: ["warn", "Draining"],
  unhealthy: ["bad", "Unhealthy"],
  ended: ["off", "Ended"],
};

export function WorkerPhase({ worker }: { worker: Pick<Schema["Worker"], "phase"> }) {
  const [tone, label] = phaseLabels[worker.phase];
  return <Status tone={tone}>{label}</Status>;
}
