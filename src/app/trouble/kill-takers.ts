// The trouble `job-lost-worker`: a worker of this machine is killed once it has the job that it took.

import type { FastifyInstance } from "fastify";
import type { Driver } from "../../drivers/driver.ts";
import type { Troubles } from "../../flows/trouble/troubles.ts";

const TAKE = /^\/v2\/:endpointId\/job-take(?:-batch)?\/:workerId$/;

export function killTakers(app: FastifyInstance, troubles: Troubles, drivers: Driver[]): void {
  app.addHook("onResponse", (request, reply, done) => {
    done();
    if (!troubles.isOn("job-lost-worker") || reply.statusCode !== 200) return;
    if (!TAKE.test(request.routeOptions.url ?? "")) return;
    const { endpointId, workerId } = request.params as { endpointId: string; workerId: string };
    if (!troubles.strikes("job-lost-worker", `${workerId} ${endpointId}`)) return;
    for (const driver of drivers) void driver.stop(workerId, 0).catch(() => {});
  });
}
