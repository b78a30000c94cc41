// Where a worker calls, read from the environment that every worker is given, and put together as
// the common worker libraries do: batch and stop addresses are made from the take address, and
// queries are glued on.

export interface WorkerRoutes {
  take(count: number, jobInProgress: boolean): string;
  stop(): string;
  done(jobId: string, isStream: boolean): string;
  stream(jobId: string): string;
  /** Null if it was not told where to ping. */
  ping(query: Record<string, string>): string | null;
}

/** Null if it was not told where to take jobs: then it is a Pod and no Worker. */
export function workerRoutes(
  env: Record<string, string>,
  workerId: string,
  claimedId: () => string | null,
): WorkerRoutes | null {
  const takeUrl = env.RUNPOD_WEBHOOK_GET_JOB;
  if (!takeUrl) return null;
  const as = (url: string) => claiming(url, claimedId());
  const post = (url: string | undefined, jobId: string) =>
    as(fill(fill(url ?? "", "$RUNPOD_POD_ID", workerId), "$ID", encodeURIComponent(jobId)));
  const take = (route: string) =>
    as(fill(takeUrl, "$ID", workerId)).replace("/job-take/", () => `/${route}/`);
  return {
    take(count, jobInProgress) {
      const query = { job_in_progress: jobInProgress ? "1" : "0" };
      if (count === 1) return glue(take("job-take"), query);
      return glue(take("job-take-batch"), { batch_size: String(count), ...query });
    },
    stop: () => take("job-stop"),
    done: (jobId, isStream) =>
      glue(post(env.RUNPOD_WEBHOOK_POST_OUTPUT, jobId), { isStream: String(isStream) }),
    stream: (jobId) => glue(post(env.RUNPOD_WEBHOOK_POST_STREAM, jobId), { isStream: "false" }),
    ping(query) {
      const url = env.RUNPOD_WEBHOOK_PING;
      return url ? glue(as(fill(url, "$RUNPOD_POD_ID", workerId)), query) : null;
    },
  };
}

/** A replacement that reads no `$` in the value as a pattern. */
function fill(url: string, token: string, value: string): string {
  return url.replaceAll(token, () => value);
}

function glue(url: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return `${url}${url.includes("?") ? "&" : "?"}${text}`;
}

function claiming(url: string, id: string | null): string {
  if (id === null) return url;
  const named = /\/(job-take|job-done|job-stream|ping)\/[^/?&]+/;
  return url.replace(named, (_, route) => `/${route}/${encodeURIComponent(id)}`);
}
