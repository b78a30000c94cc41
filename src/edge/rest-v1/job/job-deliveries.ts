// Routes of /v1/jobs/<job>/deliveries.

import type { FastifyInstance } from "fastify";
import { jobDeliveryOperations } from "../../../contract/rest-v1/job/job-deliveries.ts";
import { Fault } from "../../../domain/fault.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { findOwn } from "../../../flows/job/find-own.ts";
import { redeliver } from "../../../flows/job/redeliver.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { deliveryRead } from "./job-view.ts";
import { requireEndpointAccess } from "./jobs.ts";

export function jobDeliveryRoutes(app: FastifyInstance, deps: FlowDeps): void {
  serveOperations(app, jobDeliveryOperations, {
    async redeliver({ accountId, key, params }) {
      const { jobId, n } = params;
      const job = await findOwn(deps, accountId, jobId);
      requireEndpointAccess(key, job.endpointId);
      const delivery = await redeliver(deps, job, readDeliveryNumber("Job", jobId, n));
      return deliveryRead({ ...delivery, log: [] });
    },
  });
}

export function readDeliveryNumber(subject: "Job" | "Batch", id: string, n: string): number {
  if (!/^\d{1,9}$/.test(n)) throw new Fault("delivery_not_found", { subject, id, n });
  return Number(n);
}
