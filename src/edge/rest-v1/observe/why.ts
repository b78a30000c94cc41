// Routes of /v1/why.

import type { FastifyInstance } from "fastify";
import { type Why, whyOperations } from "../../../contract/rest-v1/observe/why.ts";
import type { Evidence } from "../../../domain/why/answer.ts";
import type { WhyDeps } from "../../../flows/why/collect-facts.ts";
import { why } from "../../../flows/why/why.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { runRead } from "../schedule/schedule-view.ts";

export function whyRoutes(app: FastifyInstance, deps: WhyDeps): void {
  serveOperations(app, whyOperations, {
    async why({ accountId, key, params }) {
      const caller = { accountId, memberId: key.member?.id ?? null };
      const { evidence, ...answer } = await why(deps, caller, params.id);
      return { ...answer, evidence: evidenceRead(evidence) };
    },
  });
}

function evidenceRead(evidence: Evidence): Why["evidence"] {
  const { ends, startAllowedAt, attempts, latePosts, rateLimit, nextRunAt, lastRun, ...rest } =
    evidence;
  return {
    ...rest,
    ...(startAllowedAt !== undefined && { startAllowedAt: instant(startAllowedAt) }),
    ...(nextRunAt !== undefined && { nextRunAt: instant(nextRunAt) }),
    ...(lastRun && { lastRun: runRead(lastRun) }),
    ...(ends && { ends: ends.map((end) => ({ ...end, endedAt: instant(end.endedAt) })) }),
    ...(attempts && {
      attempts: attempts.map((each) => {
        return { ...each, takenAt: instant(each.takenAt), endedAt: instant(each.endedAt) };
      }),
    }),
    ...(rateLimit && { rateLimit: { ...rateLimit, nextAt: instant(rateLimit.nextAt) } }),
    ...(latePosts && { latePosts: latePosts.map((each) => ({ ...each, at: instant(each.at) })) }),
  };
}
