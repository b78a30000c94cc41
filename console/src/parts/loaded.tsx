// What a query brings: its shape while it is read, the fault where it is refused, else what it is.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FaultNote } from "./fault.tsx";

interface Props<Data> {
  query: UseQueryResult<Data, unknown>;
  /** As large as what comes, so that nothing jumps. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, skeleton, children }: Props<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.isRefetchError && (
          <div className="mb-4">
            <FaultNote error={query.error} again={() => void query.refetch()} />
          </div>
        )}
        {children(query.data)}
      </>
    );
  }
  if (query.isError) return <FaultNote error={query.error} again={() => void query.refetch()} />;
  return <div aria-busy>{skeleton}</div>;
}
