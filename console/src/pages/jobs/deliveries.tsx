// The webhook deliveries of a job with their attempts, and redelivery.

import type { Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { DeliveryStatus, DeliveryTries } from "../../components/data/delivery.tsx";
import { ErrorNote } from "../../components/feedback/error-note.tsx";
import { Card } from "../../components/layout/card.tsx";
import { canCancel } from "./job-status.tsx";

type Job = Schema["Job"];
type Delivery = Job["deliveries"][number];

export function Deliveries({ job }: { job: Job }) {
  if (!job.webhook) return null;
  return (
    <Card title="Webhook" aside={<span className="break-all">{job.webhook}</span>} flush>
      {job.deliveries.length === 0 ? (
        <p className="p-4 text-muted">Called when the job ends.</p>
      ) : (
        <ul className="divide-y divide-line">
          {job.deliveries.map((delivery) => (
            <DeliveryRow key={delivery.n} job={job} delivery={delivery} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function DeliveryRow({ job, delivery }: { job: Job; delivery: Delivery }) {
  const { n, messageId, state, tries } = delivery;
  const write = useWrite("post", "/v1/jobs/{jobId}/deliveries/{n}/redeliver", {
    success: "Webhook redelivery started",
  });
  const mayWrite = useCanWrite("queue");
  const redeliver = () => write.start({ params: { path: { jobId: job.id, n: String(n) } } });
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-center gap-3">
        <DeliveryStatus state={state} />
        <code className="min-w-0 truncate text-muted">{messageId}</code>
        {mayWrite && !canCancel(job.status) && (
          <Button small className="ml-auto" busy={write.isPending} onClick={redeliver}>
            Redeliver
          </Button>
        )}
      </div>
      {write.error !== null && (
        <div className="mt-3">
          <ErrorNote error={write.error} />
        </div>
      )}
      <DeliveryTries tries={tries} />
    </li>
  );
}
