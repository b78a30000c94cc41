// The environment of a worker: the variables by which the SDKs find their queue, and those that images
// expect. The SDK replaces the literal `$ID` by the job's id.

import { SIMULATED_GPU_ENV } from "../machine/simulated-gpu-env.ts";
import { type TraceContext, traceFields } from "../trace/trace-context.ts";

export interface WorkerIdentity {
  workerId: string;
  endpointId: string;
  /** The secret that authorizes this worker's requests. */
  key: string;
  /** The address at which the worker reaches Freehold, without a path: http://127.0.0.1:8700 */
  origin: string;
  pingIntervalMs: number;
  gpuTypeId: string | null;
  simulatedGpu: boolean;
  /** True if the host may fail the SDK's start-up checks (little memory, no egress). */
  skipSystemChecks: boolean;
  /** The network volume that it mounts. */
  volumeId: string | null;
  /** The context of its cold start; null if tracing is off. */
  trace: TraceContext | null;
}

/** `own` contains the variables of its template. */
export function workerEnv(
  identity: WorkerIdentity,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const { workerId, endpointId, key, origin } = identity;
  const base = `${origin}/v2/${endpointId}`;
  const query = `?gpu=${encodeURIComponent(identity.gpuTypeId ?? "cpu")}`;
  const take = `${base}/job-take/${workerId}${query}`;
  return {
    ...(identity.skipSystemChecks && {
      RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: "true",
      RUNPOD_SKIP_GPU_CHECK: "true",
    }),
    ...(identity.trace && { TRACEPARENT: traceFields(identity.trace).traceparent }),
    ...own,
    ...(identity.simulatedGpu && SIMULATED_GPU_ENV),
    RUNPOD_POD_ID: workerId,
    RUNPOD_ENDPOINT_ID: endpointId,
    RUNPOD_POD_HOSTNAME: `${workerId}-${endpointId}`,
    RUNPOD_AI_API_KEY: key,
    ...(identity.volumeId !== null && { RUNPOD_VOLUME_ID: identity.volumeId }),
    RUNPOD_PING_INTERVAL: String(Math.max(1_000, identity.pingIntervalMs)),
    RUNPOD_WEBHOOK_GET_JOB: take,
    RUNPOD_WEBHOOK_GET_WORK: take,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${base}/job-done/${workerId}/$ID${query}`,
    RUNPOD_WEBHOOK_POST_STREAM: `${base}/job-stream/${workerId}/$ID${query}`,
    RUNPOD_WEBHOOK_PING: `${base}/ping/${workerId}${query}`,
    RUNPOD_ENDPOINT_BASE_URL: `${origin}/v2`,
    RUNPOD_API_BASE_URL: origin,
  };
}
