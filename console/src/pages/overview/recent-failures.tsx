// The causes of the last failures: failed jobs of the last 24 hours, equal errors of an endpoint together.

import { Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { EndpointName } from "../../components/control/resource-name.tsx";
import { RelativeTime, useNow } from "../../components/data/relative-time.tsx";
import { formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { paths } from "../../paths.ts";
import { DAY_MS } from "../../time-units.ts";
import { errorLine } from "../jobs/job-error.tsx";

/** Failed jobs that are read, and causes that are shown. */
const MAX_JOBS = 50;
const MAX_CAUSES = 4;

interface Cause {
  key: string;
  endpointId: string;
  text: string;
  /** The job that failed last. */
  jobId: string;
  finishedAt: string;
  jobs: number;
  /** Whether earlier jobs, which are not read, may have failed by it too. */
  isPartial: boolean;
}

export function RecentFailures() {
  const causes = useCauses();
  if (causes.length === 0) return null;
  return (
    <Card
      title="Recent failures"
      aside={
        <Link to={paths.jobs} search={{ status: "FAILED" }} className="underline hover:text-text">
          Failed jobs
        </Link>
      }
      flush
    >
      <ul aria-label="Recent failures" className="divide-y divide-line">
        {causes.slice(0, MAX_CAUSES).map((cause) => (
          <CauseRow key={cause.key} cause={cause} />
        ))}
      </ul>
    </Card>
  );
}

function CauseRow({ cause }: { cause: Cause }) {
  const { endpointId, text, jobId, finishedAt, jobs, isPartial } = cause;
  return (
    <li className="px-4 py-2 text-sm">
      <p title={text} className="truncate leading-[24px]">
        <Link to={paths.job} params={{ jobId }} className="text-bad hover:underline">
          {text}
        </Link>
      </p>
      <p className="truncate leading-[24px] text-muted">
        {isPartial && "at least "}
        {(jobs > 1 || isPartial) && `${formatQuantity(jobs, "job")}, last `}
        <RelativeTime at={finishedAt} />
        {" · "}
        <Link to={paths.endpoint} params={{ endpointId }} className="hover:underline">
          <EndpointName id={endpointId} />
        </Link>
      </p>
    </li>
  );
}

function useCauses(): Cause[] {
  const now = useNow();
  const failed = useJobs("FAILED");
  const timedOut = useJobs("TIMED_OUT");
  const causes = new Map<string, Cause>();
  const newestFirst = [...failed, ...timedOut].sort((a, b) => endOf(b) - endOf(a));
  for (const job of newestFirst) {
    if (now - endOf(job) > DAY_MS) continue;
    const { id: jobId, endpointId, finishedAt = job.submittedAt } = job;
    const text = job.error === undefined ? "Timed out" : errorLine(job.error);
    const key = `${endpointId} ${text}`;
    const read = job.status === "FAILED" ? failed : timedOut;
    const isPartial = read.length === MAX_JOBS && now - endOf(read.at(-1)!) <= DAY_MS;
    const first = { key, endpointId, text, jobId, finishedAt, jobs: 0, isPartial };
    const cause = causes.get(key) ?? first;
    causes.set(key, { ...cause, jobs: cause.jobs + 1 });
  }
  return [...causes.values()];
}

function useJobs(status: "FAILED" | "TIMED_OUT"): Schema["JobSummary"][] {
  const params = { query: { status, limit: MAX_JOBS } };
  return api.useQuery("get", "/v1/jobs", { params }).data ?? [];
}

const endOf = ({ finishedAt, submittedAt }: Schema["JobSummary"]) =>
  Date.parse(finishedAt ?? submittedAt);
