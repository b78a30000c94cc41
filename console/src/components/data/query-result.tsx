// The result of a query: a skeleton while it loads, an error, or the data.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorNote } from "../feedback/error-note.tsx";

interface Props<Data> {
  query: UseQueryResult<Data, unknown>;
  /** Has the size of the content, so that the page does not jump. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

export function QueryResult<Data>({ query, skeleton, children }: Props<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.isRefetchError && (
          <div className="mb-4">
            <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
          </div>
        )}
        {children(query.data)}
      </>
    );
  }
  if (query.isError) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  return <div aria-busy>{skeleton}</div>;
}
