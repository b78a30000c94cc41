// The dependencies of the queue's and the workers' routes.

import type { Vault } from "../../../base/vault.ts";
import type { PricedCatalog } from "../../../domain/catalog/prices.ts";
import type { Protocol } from "../../../domain/protocol.ts";
import type { Tracer } from "../../../domain/trace/span.ts";
import type { AuthCache } from "../../../flows/auth-cache.ts";
import type { CapacityDeps } from "../../../flows/endpoint/capacity.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import type { ProcessMetrics } from "../../../flows/metrics/process-metrics.ts";
import type { RateLimits } from "../../../flows/rate-limits.ts";
import type { StorageQuota } from "../../../flows/storage-quota.ts";
import type { Presence } from "../../../flows/worker/presence.ts";
import type { BodyRooms } from "../../http/body/receive.ts";
import type { Polls } from "../../http/held-requests.ts";

export interface EdgeDeps extends FlowDeps, CapacityDeps {
  catalog: PricedCatalog;
  protocol: Protocol;
  authCache: AuthCache;
  presence: Presence;
  polls: Polls;
  bodyRooms: BodyRooms;
  rates: RateLimits;
  storageQuota: StorageQuota;
  vault: Vault;
  tracer: Tracer | null;
  metrics: ProcessMetrics;
}
