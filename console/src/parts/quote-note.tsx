// What stands in the way of what is quoted, before it is asked for: no room, no credits, or a mistake.

import type { ReactNode } from "react";
import type { Schema } from "../api/client.ts";
import { refusedBy } from "../api/fault.ts";

interface Props {
  quote: Schema["Quote"] | undefined;
  error: unknown;
}

const FEW = 3;

export function QuoteNote({ quote, error }: Props) {
  if (error) return <Note>{refusedBy(error).sentence}</Note>;
  if (!quote) return null;
  const { refused, available, why = [] } = quote;
  return (
    <>
      {refused && <Note>{refused.error}</Note>}
      {!available && (
        <Note>
          There is no room for it now.
          <ul className="mt-1 list-disc space-y-0.5 pl-4">
            {why.slice(0, FEW).map(({ machineId, reason }) => (
              <li key={machineId} className="wrap-anywhere">
                <code>{machineId}</code>: {reason}
              </li>
            ))}
          </ul>
          {why.length > FEW && `And ${why.length - FEW} more machines.`}
        </Note>
      )}
    </>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <div className="mt-3 rounded-control bg-warn-soft px-3 py-2 text-sm">{children}</div>;
}
