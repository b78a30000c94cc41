// /v1/jobs.

import type { FastifyInstance } from "fastify";
import { jobOperations } from "../../contract/rest-v1/job.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { list } from "../../flows/job/list.ts";
import { jobPast } from "../../flows/job/past.ts";
import { send } from "../queue/send.ts";
import type { RestDeps } from "./deps.ts";
import { jobStoryText, jobSummary } from "./job-read.ts";
import { serve } from "./serve.ts";

export function jobRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, jobOperations, {
    async listJobs({ accountId, key, query }) {
      mustOpen(key, query.endpointId);
      const { endpointId = null, status = null, before = null, limit = null } = query;
      const jobs = await list(deps, { accountId, endpointId, status, before, limit });
      return jobs.map(jobSummary);
    },
    async getJob({ accountId, key, params, reply }) {
      const past = await jobPast(deps, accountId, params.jobId);
      mustOpen(key, past.job.endpoint_id);
      return send(reply, jobStoryText(past));
    },
  });
}

/** A key may open only some endpoints' queues; it then sees the jobs of those alone. */
export function mustOpen(key: ApiKey, endpointId: string | undefined): void {
  const only = key.permissions.endpoints;
  if (only === null || (endpointId !== undefined && only.includes(endpointId))) return;
  const detail = endpointId
    ? `This key does not open endpoint ${endpointId}.`
    : `This key opens some endpoints only; name one of them: ?endpointId=${only[0] ?? ""}`;
  throw new Fault("forbidden", { detail });
}
