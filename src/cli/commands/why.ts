// `freehold why <id>`: prints the reason, its evidence, and the next step.

import { parseArgs } from "node:util";
import { UsageError } from "../../base/refusal.ts";
import type { Why } from "../../contract/rest-v1/observe/why.ts";
import { counted, spanText } from "../../domain/span.ts";
import { heldText } from "../../domain/why/capacity.ts";
import { ask } from "../client/service-request.ts";
import { serviceFor } from "../context/choose-service.ts";
import { readOptions, serviceOptions, serviceUsage } from "../options.ts";
import { idMeant } from "../resources/find-any.ts";

export const usage = `  freehold why 0199c2f1-...-u1    a job
  freehold why xk2p9q...          a worker, a Pod, an endpoint or a schedule

  --json            the whole answer as JSON
${serviceUsage}`;

export async function run(args: string[]): Promise<undefined> {
  const options = { ...serviceOptions, json: { type: "boolean", default: false } } as const;
  const { values, positionals } = readOptions("why", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const [word, ...more] = positionals;
  if (!word || more.length > 0)
    throw new UsageError("why takes one id: of a job, a worker, a Pod, an endpoint, a schedule");
  const service = await serviceFor(values);
  const id = await idMeant(service, word, ["job", "worker", "Pod", "endpoint", "schedule"]);
  const why = (await ask(service, "GET", `/v1/why/${encodeURIComponent(id)}`)) as Why;
  process.stdout.write(values.json ? `${JSON.stringify(why, null, 2)}\n` : whyText(why));
  return undefined;
}

/** Formats an answer for a terminal. */
export function whyText({ kind, sentence, next, story, evidence }: Why): string {
  const facts = evidenceLines(kind, evidence).map((line) => `  ${line}`);
  const blocks = [
    ...(story ? [story] : []),
    sentence,
    ...(facts.length > 0 ? [facts.join("\n")] : []),
    ...(next ? [`Next: ${next}`] : []),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function evidenceLines(kind: Why["kind"], evidence: Why["evidence"]): string[] {
  const { jobsAhead, queue, workers, ends, startAllowedAt, log, jobs, attempts, latePosts } =
    evidence;
  const lines: string[] = [];
  if (jobsAhead) lines.push(`${counted(jobsAhead, "job")} ahead`);
  if (queue && queue.waiting + queue.waitingLowPriority > 0) {
    const oldest = queue.oldestWaitingMs;
    const since = oldest === null ? "" : `, the oldest for ${spanText(oldest)}`;
    const low = queue.waitingLowPriority > 0 ? `, ${queue.waitingLowPriority} of low priority` : "";
    lines.push(`queue: ${queue.waiting} waiting${since}${low}`);
  }
  if (workers) {
    const { workersMax, ...counts } = workers;
    const present = Object.entries(counts).flatMap(([name, n]) => (n > 0 ? [`${n} ${name}`] : []));
    lines.push(`workers: ${present.join(", ") || "none"}; at most ${workersMax}`);
  }
  if (evidence.share) lines.push(shareLine(evidence.share));
  if (startAllowedAt) lines.push(`no worker starts before ${startAllowedAt}`);
  for (const end of ends ?? []) {
    const how = end.signal ?? (end.exitCode === null ? "unknown" : `code ${end.exitCode}`);
    const unhealthy = end.unhealthy ? `; ${end.unhealthy}` : "";
    lines.push(`worker ${end.workerId} ended ${end.endedAt}: ${how}${unhealthy}`);
  }
  for (const { workerId, takenAt, endedAt, outcome } of attempts ?? []) {
    lines.push(`worker ${workerId} had the job from ${takenAt} to ${endedAt}: ${outcome}`);
  }
  for (const { at, workerId, kind, bytes, posts } of latePosts ?? []) {
    const more = posts === 1 ? "" : `, and ${posts - 1} more`;
    lines.push(`too late: ${kind} of ${bytes} bytes from worker ${workerId}, ${at}${more}`);
  }
  if (jobs && jobs.length > 0) lines.push(`jobs: ${jobs.join(", ")}`);
  if (evidence.error) lines.push(`error: ${evidence.error}`);
  if (log)
    lines.push(
      `last log lines of ${kind === "pod" ? "Pod" : "worker"} ${log.workerId}:`,
      ...log.lines.map((line) => `  ${line}`),
    );
  return lines;
}

function shareLine(share: NonNullable<Why["evidence"]["share"]>): string {
  const { othersAhead, endpointsAhead } = share;
  const others = othersAhead > 0 ? [`${counted(othersAhead, "endpoint")} of other accounts`] : [];
  const ahead = [...others, ...endpointsAhead].join(", ");
  return `the account uses ${heldText(share)}; first come: ${ahead}`;
}
