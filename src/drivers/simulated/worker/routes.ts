// The addresses that a worker calls, from its injected environment. They are built as the common
// worker libraries do: batch and stop addresses derive from the take address, and queries are appended.

export interface WorkerRoutes {
  take(count: number, jobInProgress: boolean): string;
  stop(): string;
  done(jobId: string, isStream: boolean): string;
  stream(jobId: string): string;
  /** Null without a ping address. */
  ping(query: Record<string, string>): string | null;
}

/** Null without a take address: the workload is then a Pod, not a worker. */
export function workerRoutes(
  env: Record<string, string>,
  workerId: string,
  claimedId: () => string | null,
): WorkerRoutes | null {
  const takeUrl = env.RUNPOD_WEBHOOK_GET_JOB;
  if (!takeUrl) return null;
  const as = (url: string) => withWorkerId(url, claimedId());
  const post = (url: string | undefined, jobId: string) =>
    as(
      replaceToken(
        replaceToken(url ?? "", "$RUNPOD_POD_ID", workerId),
        "$ID",
        encodeURIComponent(jobId),
      ),
    );
  const take = (route: string) =>
    as(replaceToken(takeUrl, "$ID", workerId)).replace("/job-take/", () => `/${route}/`);
  return {
    take(count, jobInProgress) {
      const query = { job_in_progress: jobInProgress ? "1" : "0" };
      if (count === 1) return appendQuery(take("job-take"), query);
      return appendQuery(take("job-take-batch"), { batch_size: String(count), ...query });
    },
    stop: () => take("job-stop"),
    done: (jobId, isStream) =>
      appendQuery(post(env.RUNPOD_WEBHOOK_POST_OUTPUT, jobId), { isStream: String(isStream) }),
    stream: (jobId) =>
      appendQuery(post(env.RUNPOD_WEBHOOK_POST_STREAM, jobId), { isStream: "false" }),
    ping(query) {
      const url = env.RUNPOD_WEBHOOK_PING;
      return url ? appendQuery(as(replaceToken(url, "$RUNPOD_POD_ID", workerId)), query) : null;
    },
  };
}

/** Replaces a token literally: a `$` in the value is not a pattern. */
function replaceToken(url: string, token: string, value: string): string {
  return url.replaceAll(token, () => value);
}

function appendQuery(url: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return `${url}${url.includes("?") ? "&" : "?"}${text}`;
}

function withWorkerId(url: string, id: string | null): string {
  if (id === null) return url;
  const named = /\/(job-take|job-done|job-stream|ping)\/[^/?&]+/;
  return url.replace(named, (_, route) => `/${route}/${encodeURIComponent(id)}`);
}
