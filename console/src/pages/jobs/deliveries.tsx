// The calls of a job's webhook, try by try, and one more where it is asked for.

import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useMayWrite } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { FaultNote } from "../../parts/fault.tsx";
import { Status } from "../../parts/status.tsx";
import { say } from "../../parts/toast.tsx";
import { duration } from "../../parts/units.ts";
import { redeliver } from "./change-job.ts";
import { mayCancel } from "./job-status.tsx";

type Job = Schema["Job"];
type Delivery = Job["deliveries"][number];

const tones = { waiting: "info", delivered: "good", failed: "bad" } as const;
const words = { waiting: "Waiting", delivered: "Delivered", failed: "Failed" };

export function Deliveries({ job }: { job: Job }) {
  if (!job.webhook) return null;
  return (
    <Card title="Webhook" aside={<span className="break-all">{job.webhook}</span>} flush>
      {job.deliveries.length === 0 ? (
        <p className="p-4 text-muted">It is called when the job has ended.</p>
      ) : (
        <ul className="divide-y divide-line">
          {job.deliveries.map((delivery) => (
            <One key={delivery.n} job={job} delivery={delivery} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function One({ job, delivery }: { job: Job; delivery: Delivery }) {
  const { n, messageId, state, tries } = delivery;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const mayWrite = useMayWrite("queue");
  const again = async () => {
    setBusy(true);
    setError(null);
    try {
      await redeliver(job.id, n);
      say("The webhook is called once more");
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-center gap-3">
        <Status tone={tones[state]}>{words[state]}</Status>
        <code className="min-w-0 truncate text-muted">{messageId}</code>
        {mayWrite && !mayCancel(job.status) && (
          <Button small className="ml-auto" busy={busy} onClick={() => void again()}>
            Deliver again
          </Button>
        )}
      </div>
      {error !== null && (
        <div className="mt-3">
          <FaultNote error={error} />
        </div>
      )}
      <ol className="mt-2 space-y-1 text-sm">
        {tries.map(({ try: nth, at, status, error: failed, tookMs }) => (
          <li key={nth} className="flex flex-wrap gap-x-4">
            <span className="text-muted">Try {nth}</span>
            <span>{status === undefined ? (failed ?? "No answer") : `HTTP ${status}`}</span>
            <span className="text-muted">{duration(tookMs)}</span>
            <span className="ml-auto text-muted">
              <Ago at={at} />
            </span>
          </li>
        ))}
      </ol>
    </li>
  );
}
