// The job of one run of a schedule.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import type { NewJob } from "../../domain/job/job.ts";
import type { Schedule } from "../../domain/schedule/schedule.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import { newJob, type SubmitDeps } from "../job/submit.ts";

/** Throws the fault that a client would get that submitted it. */
export async function jobOfRun(deps: SubmitDeps, schedule: Schedule): Promise<NewJob> {
  const { spec, input } = schedule;
  return newJob(deps, {
    endpoint: await endpointOf(deps, schedule),
    sync: false,
    input: Buffer.from(input),
    webhook: spec.webhook,
    extras: null,
    policy: spec.policy,
    hasWait: false,
    trace: null,
    once: null,
  });
}

async function endpointOf({ store }: SubmitDeps, { endpointId }: Schedule): Promise<Endpoint> {
  const endpoint = await store.read(findEndpoint, endpointId);
  if (!endpoint) throw new Fault("endpoint_not_found", { id: endpointId });
  return endpoint;
}
