// The writes that change a job.

import { useWrite } from "../../api/use-write.ts";

interface Job {
  id: string;
  endpointId: string;
}

const jobParams = ({ id, endpointId }: Job) => ({ params: { path: { endpointId, jobId: id } } });

export function useCancelJob(success?: string) {
  const write = useWrite("post", "/v2/{endpointId}/cancel/{jobId}", success ? { success } : {});
  return { ...write, run: (job: Job) => write.run(jobParams(job)) };
}

export function useRetryJob(success?: string) {
  const write = useWrite("post", "/v1/jobs/{jobId}/retry", success ? { success } : {});
  return { ...write, run: ({ id }: Job) => write.run({ params: { path: { jobId: id } } }) };
}
