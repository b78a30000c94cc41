// The first steps of an account, each checked off by what the account has. The list goes once all are done, or
// when this browser dismisses it.

import { Link } from "@tanstack/react-router";
import { Circle, CircleCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useCanView, useCanWrite, useSession } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { Card } from "../../components/layout/card.tsx";
import { paths } from "../../paths.ts";
import { useFirstSteps } from "./use-first-steps.ts";

const STORAGE_KEY = "freehold_first_steps";

/** For people who manage the whole account. */
export function FirstSteps() {
  const mayManage = useCanView("account");
  const mayWrite = useCanWrite();
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(STORAGE_KEY) !== null);
  if (!mayManage || !mayWrite || isDismissed) return null;
  const dismiss = () => {
    localStorage.setItem(STORAGE_KEY, "dismissed");
    setDismissed(true);
  };
  return <Steps onDismiss={dismiss} />;
}

function Steps({ onDismiss }: { onDismiss: () => void }) {
  const { operator } = useSession();
  const facts = useFirstSteps();
  if (!facts) return null;
  const { hasOwnKey, hasMachine, hasJob, hasPeople, endpointId } = facts;
  const done = [hasOwnKey, hasMachine, hasJob, hasPeople].filter(Boolean).length;
  if (done === 4) return null;
  return (
    <Card
      title="Get started"
      aside={
        <span className="flex items-center gap-3">
          {done} of 4 done
          <Button small variant="quiet" onClick={onDismiss}>
            Dismiss
          </Button>
        </span>
      }
      className="mb-6"
    >
      <ul aria-label="First steps" className="space-y-2 text-sm">
        <Step done={hasMachine} note="It runs your Pods and workers.">
          {operator ? <Link to={paths.machines}>Add a machine</Link> : "A machine is ready"}
        </Step>
        <Step done={hasOwnKey} note="Programs use it instead of the command line's key.">
          <Link to={paths.keys}>Create an API key</Link>
        </Step>
        <Step done={hasJob} note="An endpoint runs it on a worker and keeps the result.">
          {endpointId === null ? (
            <Link to={paths.newEndpoint}>Run a first job</Link>
          ) : (
            <Link to={paths.endpointRequest} params={{ endpointId }}>
              Run a first job
            </Link>
          )}
        </Step>
        <Step done={hasPeople} note="Each person gets a role and keys of their own.">
          <Link to={paths.members}>Invite people</Link>
        </Step>
      </ul>
    </Card>
  );
}

function Step({ done, note, children }: { done: boolean; note: string; children: ReactNode }) {
  const Icon = done ? CircleCheck : Circle;
  return (
    <li className="flex items-start gap-2.5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${done ? "text-good" : "text-muted"}`} />
      <span>
        <span className="sr-only">{done ? "Done: " : "To do: "}</span>
        <span className={done ? "text-muted" : "font-medium [&>a]:underline"}>{children}</span>{" "}
        {!done && <span className="text-muted">{note}</span>}
      </span>
    </li>
  );
}
