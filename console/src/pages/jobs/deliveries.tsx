// The webhook of a job.

import type { Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Webhook } from "../../components/data/webhook.tsx";
import { canCancel } from "./job-status.tsx";

export function Deliveries({ job }: { job: Schema["Job"] }) {
  const { id, status, webhook, deliveries } = job;
  const write = useWrite("post", "/v1/jobs/{jobId}/deliveries/{n}/redeliver", {
    success: "Webhook redelivery started",
  });
  const mayWrite = useCanWrite("queue");
  if (!webhook) return null;
  const start = (n: number) => write.start({ params: { path: { jobId: id, n: String(n) } } });
  return (
    <Webhook
      url={webhook}
      deliveries={deliveries}
      notYet="Called when the job ends."
      redeliver={mayWrite && !canCancel(status) ? { ...write, start } : null}
    />
  );
}
