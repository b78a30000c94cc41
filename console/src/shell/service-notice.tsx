// The notice that the service is unreachable or slow, with a retry.

import { type Query, useIsFetching, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useConnection } from "../api/live-updates.ts";
import { Button } from "../components/control/button.tsx";

/** A short interruption shows no notice. */
const NOTICE_DELAY_MS = 1_500;

export function ServiceNotice() {
  const client = useQueryClient();
  const isUnreachable = useLasting(useConnection() === "broken");
  const firstReads = useIsFetching({ predicate: isFirstRead });
  const isSlow = useLasting(firstReads > 0);
  const retry = async () => {
    // A first read that runs would go on in place of a new one.
    await client.cancelQueries({ predicate: isFirstRead });
    await client.refetchQueries({ type: "active" });
  };
  if (!isUnreachable && !isSlow) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-line bg-warn-soft px-4 py-1.5 text-sm text-warn"
    >
      {isUnreachable
        ? "Cannot reach Freehold. The page may be out of date. Reconnecting automatically."
        : "Freehold is slow to answer."}
      <Button small onClick={() => void retry()}>
        Try again
      </Button>
    </div>
  );
}

/** Nothing of it is shown yet. */
const isFirstRead = ({ state }: Query) => state.status === "pending";

/** Whether the condition has held for the delay. */
function useLasting(condition: boolean): boolean {
  const [isLasting, setLasting] = useState(false);
  useEffect(() => {
    if (!condition) return setLasting(false);
    const timer = setTimeout(() => setLasting(true), NOTICE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [condition]);
  return isLasting;
}
