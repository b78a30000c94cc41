// The chunks that a job yields, from one on, while they come. Reading them by number moves no cursor, so that
// the job's own client still gets each of them.

import { type Schema, service } from "./client.ts";

interface StreamOfJob {
  endpointId: string;
  jobId: string;
  /** The number of the first chunk. */
  from?: number;
  signal?: AbortSignal;
}

/** Ends with the job. The service holds each request until there are more chunks. */
export async function* streamChunks({
  endpointId,
  jobId,
  from = 0,
  signal,
}: StreamOfJob): AsyncGenerator<unknown[]> {
  for (let next = from; ; ) {
    const { data, error } = await service.GET("/v2/{endpointId}/stream/{jobId}", {
      params: {
        path: { endpointId, jobId },
        query: { format: "envelope", wait: 30_000, from: next },
      },
      ...(signal && { signal }),
    });
    if (error) throw error;
    const { status, stream } = data as { status: string; stream: Schema["StreamChunk"][] };
    next += stream.length;
    if (stream.length > 0) yield stream.map(({ output }) => output);
    else if (status !== "IN_QUEUE" && status !== "IN_PROGRESS") return;
  }
}
