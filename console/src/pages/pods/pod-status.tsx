// How a Pod is, in a word.

import type { Schema } from "../../api/client.ts";
import { Status, type Tone } from "../../parts/status.tsx";

const shown: Record<string, [Tone, string]> = {
  RUNNING: ["good", "Running"],
  EXITED: ["off", "Stopped"],
  TERMINATED: ["off", "Terminated"],
};

export function PodStatus({ pod }: { pod: Pick<Schema["Pod"], "desiredStatus"> }) {
  const [tone, word] = shown[pod.desiredStatus] ?? ["info", pod.desiredStatus];
  return <Status tone={tone}>{word}</Status>;
}
