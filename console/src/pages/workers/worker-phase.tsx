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

export function WorkerPhase({ worker }: { worker: Pick<Schema["Worker"], "phase" | "download"> }) {
  const [tone, label] = phaseLabels[worker.phase];
  return <Status tone={tone}>{worker.download ? describeDownload(worker.download) : label}</Status>;
}

/** "Downloading model 43%" */
function describeDownload({ bytes, downloadedBytes }: NonNullable<Schema["Worker"]["download"]>) {
  const percent = bytes === 0 ? 0 : Math.floor((downloadedBytes / bytes) * 100);
  return `Downloading model ${percent}%`;
}
