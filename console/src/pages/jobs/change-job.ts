// What can be done with a job; each rejects with the service's refusal.

import { service } from "../../api/client.ts";

interface Job {
  id: string;
  endpointId: string;
}

export async function cancelJob({ id, endpointId }: Job): Promise<void> {
  const path = { endpointId, jobId: id };
  const { error } = await service.POST("/v2/{endpointId}/cancel/{jobId}", { params: { path } });
  if (error) throw error;
}

export async function retryJob({ id, endpointId }: Job): Promise<void> {
  const path = { endpointId, jobId: id };
  const { error } = await service.POST("/v2/{endpointId}/retry/{jobId}", { params: { path } });
  if (error) throw error;
}

export async function redeliver(jobId: string, n: number): Promise<void> {
  const path = { jobId, n: String(n) };
  const { error } = await service.POST("/v1/jobs/{jobId}/deliveries/{n}/redeliver", {
    params: { path },
  });
  if (error) throw error;
}
