// Routes of /v1/job-operations.

import type { FastifyInstance } from "fastify";
import {
  bulkOperations,
  type JobOperationView,
} from "../../../contract/rest-v1/job/job-operations.ts";
import type { ApiKey } from "../../../domain/account.ts";
import type { JobOperation } from "../../../domain/job-operation/job-operation.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import {
  cancelJobOperation,
  createJobOperation,
  readJobOperation,
  readJobOperations,
} from "../../../flows/job-operation/job-operation.ts";
import type { Ownership } from "../../../flows/member/ownership.ts";
import { instant, present } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { filterOf, filterRead } from "./job-filter.ts";
import { requireEndpointAccess } from "./jobs.ts";

interface Deps extends FlowDeps {
  ownership: Ownership;
}

export function jobOperationRoutes(app: FastifyInstance, deps: Deps): void {
  const readAllowed = async (accountId: string, key: ApiKey, id: string) => {
    const operation = await readJobOperation(deps, accountId, id);
    requireEndpointAccess(key, operation.filter.endpointId ?? undefined);
    return operation;
  };
  serveOperations(app, bulkOperations, {
    async createJobOperation({ accountId, key, body, once }) {
      const { action, filter: selection, ...rest } = body;
      rest satisfies Record<string, never>;
      requireEndpointAccess(key, selection.endpointId);
      const filter = filterOf(selection, deps.clock.now());
      const created = await createJobOperation(deps, { accountId, action, filter }, once);
      return operationRead(created);
    },
    async listJobOperations({ accountId, key }) {
      const allowed = key.permissions.endpoints;
      const own = await deps.ownership.endpointIds(key);
      const operations = await readJobOperations(deps, accountId);
      return operations
        .filter(({ filter }) => own?.has(filter.endpointId ?? "") ?? true)
        .filter(({ filter }) => allowed === null || allowed.includes(filter.endpointId ?? ""))
        .map(operationRead);
    },
    async getJobOperation({ accountId, key, params }) {
      return operationRead(await readAllowed(accountId, key, params.jobOperationId));
    },
    async cancelJobOperation({ accountId, key, params }) {
      await readAllowed(accountId, key, params.jobOperationId);
      return operationRead(await cancelJobOperation(deps, accountId, params.jobOperationId));
    },
  });
}

function operationRead(operation: JobOperation): JobOperationView {
  const { id, action, state: status, filter, total, done, createdAt, finishedAt } = operation;
  return {
    id,
    action,
    status,
    filter: filterRead(filter),
    ...(total !== null && { total }),
    done,
    createdAt: instant(createdAt),
    ...present({ finishedAt }),
  };
}
