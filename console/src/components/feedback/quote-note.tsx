// The obstacles to a quoted request: an invalid value, no credits, or no capacity.

import type { ReactNode } from "react";
import type { Schema } from "../../api/client.ts";
import { describeError } from "../../api/error-description.ts";
import { MachineName } from "../control/resource-name.tsx";
import { withZoneTimes } from "../format/time.ts";

interface Props {
  quote: Schema["Quote"] | undefined;
  error: unknown;
}

const MAX_REASONS = 3;

export function QuoteNote({ quote, error }: Props) {
  if (error) return <Warning>{withZoneTimes(describeError(error).message)}</Warning>;
  if (!quote) return null;
  const { refused, available, why = [] } = quote;
  return (
    <>
      {refused && <Warning>{withZoneTimes(refused.error)}</Warning>}
      {!available && (
        <Warning>
          No capacity available right now.
          <ul className="mt-1 list-disc space-y-0.5 pl-4">
            {why.slice(0, MAX_REASONS).map(({ machineId, reason }) => (
              <li key={machineId} className="wrap-anywhere">
                <MachineName id={machineId} />: {withZoneTimes(reason)}
              </li>
            ))}
          </ul>
          {why.length > MAX_REASONS && `And ${why.length - MAX_REASONS} more machines`}
        </Warning>
      )}
    </>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return <div className="mt-3 rounded-control bg-warn-soft px-3 py-2 text-sm">{children}</div>;
}
