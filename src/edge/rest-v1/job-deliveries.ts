// /v1/jobs/<job>/deliveries.

import type { FastifyInstance } from "fastify";
import { jobDeliveryOperations } from "../../contract/rest-v1/job-deliveries.ts";
import { Fault } from "../../domain/fault.ts";
import { findOwn } from "../../flows/job/find-own.ts";
import { redeliver } from "../../flows/job/redeliver.ts";
import type { RestDeps } from "./deps.ts";
import { deliveryRead } from "./job-read.ts";
import { mustOpen } from "./jobs.ts";
import { serve } from "./serve.ts";

export function jobDeliveryRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, jobDeliveryOperations, {
    async redeliver({ accountId, key, params }) {
      const { jobId, n } = params;
      const job = await findOwn(deps, accountId, jobId);
      mustOpen(key, job.endpoint_id);
      if (!/^\d{1,9}$/.test(n)) throw new Fault("delivery_not_found", { id: jobId, n });
      return deliveryRead({ ...(await redeliver(deps, job, Number(n))), log: [] });
    },
  });
}
