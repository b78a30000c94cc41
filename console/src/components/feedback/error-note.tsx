// An error: what went wrong and how to fix it.

import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { describeError } from "../../api/error-description.ts";
import { Button } from "../control/button.tsx";
import { MachineName } from "../control/resource-name.tsx";
import { withZoneTimes } from "../format/time.ts";

interface Props {
  error: unknown;
  /** Offered if a retry may help. */
  onRetry?: () => void;
  children?: ReactNode;
}

export function ErrorNote({ error, onRetry, children }: Props) {
  if (!error) return null;
  const { message, fix, why, code } = describeError(error);
  return (
    <div role="alert" className="rounded-card border border-bad/40 bg-bad-soft p-3.5 text-sm">
      <div className="flex gap-2.5">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{withZoneTimes(message)}</p>
          {fix && <p className="mt-0.5">{fix}</p>}
          {why.length > 0 && (
            <ul className="mt-2 list-disc space-y-0.5 pl-4">
              {why.map(({ machineId, reason }) => (
                <li key={machineId}>
                  <MachineName id={machineId} />: {withZoneTimes(reason)}
                </li>
              ))}
            </ul>
          )}
          {children}
          {code && <p className="mt-1.5 font-mono text-xs text-muted">{code}</p>}
        </div>
        {onRetry && (
          <Button small onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}
