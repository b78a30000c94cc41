// How many members of a cluster run, as a badge.

import type { Schema } from "../../api/client.ts";
import { Status, type Tone } from "../../components/data/status.tsx";

export function ClusterStatus({ pods: { total, byStatus } }: Pick<Schema["Cluster"], "pods">) {
  const running = byStatus.RUNNING ?? 0;
  return (
    <Status tone={toneOf(running, total)}>
      {running === total ? "Running" : `${running} of ${total} running`}
    </Status>
  );
}

function toneOf(running: number, total: number): Tone {
  if (running === total) return "good";
  return running === 0 ? "info" : "warn";
}
