// A delivery of a message to a receiver: its state, and its tries.

import { formatDuration } from "../format/units.ts";
import { RelativeTime } from "./relative-time.tsx";
import { Status } from "./status.tsx";

type DeliveryState = "waiting" | "delivered" | "failed";

interface DeliveryTry {
  try: number;
  at: string;
  status?: number;
  error?: string;
  tookMs: number;
}

const tones = { waiting: "info", delivered: "good", failed: "bad" } as const;
const labels = { waiting: "Pending", delivered: "Delivered", failed: "Failed" };

export function DeliveryStatus({ state }: { state: DeliveryState }) {
  return <Status tone={tones[state]}>{labels[state]}</Status>;
}

/** `protocol` is what the status codes belong to. */
export function DeliveryTries({
  tries,
  protocol = "HTTP",
}: {
  tries: readonly DeliveryTry[];
  protocol?: string;
}) {
  return (
    <ol className="mt-2 space-y-1 text-sm">
      {tries.map(({ try: attempt, at, status, error: failure, tookMs }) => (
        <li key={attempt} className="flex flex-wrap gap-x-4">
          <span className="text-muted">Attempt {attempt}</span>
          <span className="min-w-0 break-words">
            {status === undefined ? (failure ?? "No response") : `${protocol} ${status}`}
          </span>
          <span className="text-muted">{formatDuration(tookMs)}</span>
          <span className="ml-auto text-muted">
            <RelativeTime at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
