// Routes of /v1/batches.

import type { FastifyInstance } from "fastify";
import { batchItemOperations, batchOperations } from "../../../contract/rest-v1/batch/batch.ts";
import type { ApiKey } from "../../../domain/account.ts";
import {
  createBatch,
  type DetailedBatch,
  readBatch,
  readBatches,
  resendBatch,
  stopBatch,
} from "../../../flows/batch/batch.ts";
import { batchView } from "../../../flows/batch/batch-view.ts";
import { readQueueEndpoint } from "../../../flows/endpoint/read-queue-endpoint.ts";
import type { Ownership } from "../../../flows/member/ownership.ts";
import type { RateLimits } from "../../../flows/rate-limits.ts";
import type { StorageQuota } from "../../../flows/storage-quota.ts";
import type { BodyRooms } from "../../http/body/receive.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import { traceOf } from "../../http/trace/request-trace.ts";
import type { VaultDeps } from "../../management/deps.ts";
import { mustHaveRoom } from "../../management/job/queue-room.ts";
import { readWebhook } from "../../management/job/submission.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { readDeliveryNumber } from "../job/job-deliveries.ts";
import { deliveryRead } from "../job/job-view.ts";
import { requireEndpointAccess } from "../job/jobs.ts";
import { itemsTextOf, keepItems } from "./read-items.ts";

interface Deps extends VaultDeps {
  bodyRooms: BodyRooms;
  ownership: Ownership;
  rates: RateLimits;
  storageQuota: StorageQuota;
}

export function batchRoutes(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    keepItems(scope, deps.bodyRooms);
    serveOperations(scope, batchItemOperations, {
      async createBatch({ accountId, key, body, reply: { request } }) {
        const { endpointId, webhook, items: bodyItems, ...rest } = body;
        rest satisfies Record<string, never>;
        requireEndpointAccess(key, endpointId);
        await mustHaveRoom(deps, await readQueueEndpoint(deps, accountId, endpointId));
        const text = itemsTextOf(bodyItems, request.itemInputs!, deps.clock.now());
        const items = text.end();
        const batch = await createBatch(deps, {
          accountId,
          endpointId,
          total: text.count,
          items,
          webhook: webhook === undefined ? null : readWebhook(webhook),
          trace: traceOf(request),
          once: readIdempotencyKey(deps.vault, request, () =>
            Buffer.concat([items.subarray(0), Buffer.from(JSON.stringify([endpointId, webhook]))]),
          ),
        });
        return batchRead(batch);
      },
    });
  });
  const readable = async (accountId: string, key: ApiKey, id: string) => {
    const found = await readBatch(deps, accountId, id);
    requireEndpointAccess(key, found.batch.endpointId);
    return found;
  };
  serveOperations(app, batchOperations, {
    async listBatches({ accountId, key, query }) {
      requireEndpointAccess(key, query.endpointId);
      const found = await readBatches(deps, accountId, query.endpointId ?? null);
      const own = await deps.ownership.endpointIds(key);
      return found.filter(({ batch }) => own?.has(batch.endpointId) ?? true).map(batchView);
    },
    async getBatch({ accountId, key, params }) {
      return batchRead(await readable(accountId, key, params.batchId));
    },
    async cancelBatch({ accountId, key, params }) {
      await readable(accountId, key, params.batchId);
      return batchRead(await stopBatch(deps, accountId, params.batchId));
    },
    async redeliverBatch({ accountId, key, params: { batchId: id, n } }) {
      await readable(accountId, key, id);
      const wanted = { accountId, id, n: readDeliveryNumber("Batch", id, n) };
      return deliveryRead({ ...(await resendBatch(deps, wanted)), log: [] });
    },
  });
}

function batchRead(found: DetailedBatch) {
  return { ...batchView(found), deliveries: found.deliveries.map(deliveryRead) };
}
