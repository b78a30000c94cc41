// Routes of /v1/job-retries.

import type { FastifyInstance } from "fastify";
import {
  type JobRetryCreate,
  type JobRetryView,
  jobRetryOperations,
} from "../../../contract/rest-v1/job/job-retries.ts";
import type { ApiKey } from "../../../domain/account.ts";
import type { JobRetry, JobRetryFilter } from "../../../domain/job-retry/job-retry.ts";
import {
  cancelJobRetry,
  createJobRetry,
  readJobRetries,
  readJobRetry,
} from "../../../flows/job-retry/job-retry.ts";
import type { RestDeps } from "../deps.ts";
import { instant, present } from "../serve/instant.ts";
import { serve } from "../serve/serve.ts";
import { requireEndpointAccess } from "./jobs.ts";

export function jobRetryRoutes(app: FastifyInstance, deps: RestDeps): void {
  const readAllowed = async (accountId: string, key: ApiKey, id: string) => {
    const retry = await readJobRetry(deps, accountId, id);
    requireEndpointAccess(key, retry.filter.endpointId ?? undefined);
    return retry;
  };
  serve(app, jobRetryOperations, {
    async createJobRetry({ accountId, key, body }) {
      requireEndpointAccess(key, body.endpointId);
      return jobRetryRead(await createJobRetry(deps, accountId, filterOf(body)));
    },
    async listJobRetries({ accountId, key }) {
      const allowed = key.permissions.endpoints;
      const retries = await readJobRetries(deps, accountId);
      return retries
        .filter(({ filter }) => allowed === null || allowed.includes(filter.endpointId ?? ""))
        .map(jobRetryRead);
    },
    async getJobRetry({ accountId, key, params }) {
      return jobRetryRead(await readAllowed(accountId, key, params.jobRetryId));
    },
    async cancelJobRetry({ accountId, key, params }) {
      await readAllowed(accountId, key, params.jobRetryId);
      return jobRetryRead(await cancelJobRetry(deps, accountId, params.jobRetryId));
    },
  });
}

const at = (text: string | undefined) => (text === undefined ? null : Date.parse(text));

function filterOf(body: JobRetryCreate): JobRetryFilter {
  return {
    endpointId: body.endpointId ?? null,
    states: body.status ? [body.status] : ["FAILED", "TIMED_OUT"],
    error: body.error ?? null,
    finishedAfter: at(body.finishedAfter),
    finishedBefore: at(body.finishedBefore),
    includeQuarantined: body.includeQuarantined ?? false,
  };
}

function jobRetryRead(retry: JobRetry): JobRetryView {
  const { id, state: status, filter, total, retried, createdAt, finishedAt } = retry;
  const { endpointId, states, error, finishedAfter, finishedBefore, includeQuarantined } = filter;
  const [state, other] = states;
  return {
    id,
    status,
    filter: {
      ...(endpointId !== null && { endpointId }),
      ...(state !== undefined && other === undefined && { status: state }),
      ...(error !== null && { error }),
      ...present({ finishedAfter, finishedBefore }),
      ...(includeQuarantined && { includeQuarantined }),
    },
    ...(total !== null && { total }),
    retried,
    createdAt: instant(createdAt),
    ...present({ finishedAt }),
  };
}
