// The last jobs of the endpoint, whose inputs can be sent again.

import { Link } from "@tanstack/react-router";
import { api } from "../../../api/client.ts";
import { RelativeTime } from "../../../components/data/relative-time.tsx";
import { Card } from "../../../components/layout/card.tsx";
import { JobStatus } from "../../jobs/job-status.tsx";

const SHOWN = 5;

export const useRecentJobs = (endpointId: string) =>
  api.useQuery("get", "/v1/jobs", { params: { query: { endpointId, limit: SHOWN } } });

export function RequestHistory({ endpointId }: { endpointId: string }) {
  const { data: jobs = [] } = useRecentJobs(endpointId);
  if (jobs.length === 0) return null;
  return (
    <Card title="Recent jobs" className="mt-4" flush>
      <ul aria-label="Recent jobs" className="divide-y divide-line">
        {jobs.map(({ id, status, submittedAt, inputStart }) => (
          <li key={id} className="flex items-center gap-3 px-4 py-2.5 text-sm">
            <div className="min-w-0 flex-1">
              <code className="block truncate">{inputStart}</code>
              <Link
                to="/jobs/$jobId"
                params={{ jobId: id }}
                className="block truncate text-xs text-muted hover:underline"
              >
                <code>{id}</code>
              </Link>
            </div>
            <JobStatus state={status} />
            <RelativeTime at={submittedAt} />
            <Link
              to="/serverless/$endpointId/request"
              params={{ endpointId }}
              search={{ job: id }}
              aria-label={`Use input of ${id}`}
              className="text-accent hover:underline"
            >
              Use input
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
