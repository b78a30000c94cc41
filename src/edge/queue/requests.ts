// GET /requests: the endpoint's jobs, the newest first.

import { anyJob } from "../../domain/job/job-filter.ts";
import { jobText } from "../../flows/job/job-text.ts";
import { list, statesOfStatus } from "../../flows/job/list.ts";
import { joinTextArray, joinTexts } from "../../flows/payload/join-text.ts";
import type { RouteScope } from "../http/routes/route-scope.ts";
import type { EdgeDeps } from "../management/job/deps.ts";
import { send } from "../management/job/send.ts";
import { single, wholeNumber } from "./query.ts";
import { endpointOf, read } from "./route.ts";

export function addRequests(scope: RouteScope, deps: EdgeDeps): void {
  scope.get("/v2/:endpointId/requests", read, async (request, reply) => {
    const endpoint = await endpointOf(deps, request);
    const status = single(request.query, "status");
    const states = status === null ? null : statesOfStatus(status);
    const filter = { ...anyJob, endpointId: endpoint.id, states };
    const jobs = await list(deps, endpoint.accountId, filter, {
      before: single(request.query, "before"),
      limit: wholeNumber(request.query, "limit"),
    });
    const now = deps.clock.now();
    const texts = jobs.map(({ job }) => jobText(job, null, now));
    return send(reply, joinTexts('{"requests":', joinTextArray(texts), "}"));
  });
}
