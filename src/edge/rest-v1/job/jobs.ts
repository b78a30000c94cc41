// Routes of /v1/jobs.

import type { FastifyInstance } from "fastify";
import { jobOperations } from "../../../contract/rest-v1/job/job.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import { findOwn } from "../../../flows/job/find-own.ts";
import { list } from "../../../flows/job/list.ts";
import { jobPast } from "../../../flows/job/past.ts";
import { retryOwn } from "../../../flows/job/retry.ts";
import { limitedMember } from "../../../flows/member/ownership.ts";
import { send } from "../../management/job/send.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { type JobExportDeps, sendJobExport } from "./job-export.ts";
import { filterOf } from "./job-filter.ts";
import { jobOnList, jobText } from "./job-view.ts";

export function jobRoutes(app: FastifyInstance, deps: JobExportDeps): void {
  serveOperations(app, jobOperations, {
    async listJobs({ accountId, key, query }) {
      requireEndpointAccess(key, query.endpointId);
      const { before = null, limit = null } = query;
      const filter = filterOf(query, deps.clock.now());
      const ownerId = limitedMember(key)?.id ?? null;
      const jobs = await list(deps, accountId, filter, { before, limit, archived: true, ownerId });
      return jobs.map(jobOnList);
    },
    async exportJobs({ accountId, key, query, reply }) {
      requireEndpointAccess(key, query.endpointId);
      return sendJobExport(deps, accountId, query, reply);
    },
    async getJob({ accountId, key, params, reply }) {
      const past = await jobPast(deps, accountId, params.jobId);
      requireEndpointAccess(key, past.job.endpointId);
      return send(reply, jobText(past));
    },
    async retryJob({ accountId, key, params }) {
      const job = await findOwn(deps, accountId, params.jobId);
      requireEndpointAccess(key, job.endpointId);
      await retryOwn(deps, job);
      const past = await jobPast(deps, accountId, job.id);
      return jobOnList({ job: past.job, inputStart: null, cost: past.cost });
    },
  });
}

/** Throws where the key is restricted to other endpoints, or where it must name one. */
export function requireEndpointAccess(key: ApiKey, endpointId: string | undefined): void {
  const allowed = key.permissions.endpoints;
  if (allowed === null || (endpointId !== undefined && allowed.includes(endpointId))) return;
  const detail = endpointId
    ? `This key has no access to endpoint ${endpointId}.`
    : `This key is restricted to some endpoints; name one of them: ?endpointId=${allowed[0] ?? ""}`;
  throw new Fault("forbidden", { detail });
}
