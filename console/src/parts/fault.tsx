// What went wrong and what to do, where it went wrong.

import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { refusedBy } from "../api/fault.ts";
import { Button } from "./button.tsx";

interface Props {
  error: unknown;
  /** Offered where trying again may help. */
  again?: () => void;
  children?: ReactNode;
}

export function FaultNote({ error, again, children }: Props) {
  if (!error) return null;
  const { sentence, mend, why, code } = refusedBy(error);
  return (
    <div role="alert" className="rounded-card border border-bad/40 bg-bad-soft p-3.5 text-sm">
      <div className="flex gap-2.5">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{sentence}</p>
          {mend && <p className="mt-0.5">{mend}</p>}
          {why.length > 0 && (
            <ul className="mt-2 list-disc space-y-0.5 pl-4">
              {why.map(({ machineId, reason }) => (
                <li key={machineId}>
                  <code>{machineId}</code>: {reason}
                </li>
              ))}
            </ul>
          )}
          {children}
          {code && <p className="mt-1.5 font-mono text-xs text-muted">{code}</p>}
        </div>
        {again && (
          <Button small onClick={again}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}
