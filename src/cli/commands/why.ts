// `freehold why <id>`: prints the reason, its evidence, and the next step.

import { counted } from "../../base/text/counted.ts";
import type { Why } from "../../contract/rest-v1/observe/why.ts";
import { durationText } from "../../domain/duration.ts";
import { heldText } from "../../domain/why/capacity.ts";
import { call } from "../client/api.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printJson, write } from "../output/answer.ts";
import { addJsonOptions, type CommonValues } from "../program/common-options.ts";
import { addExamples, defineCommand } from "../program/define-command.ts";
import { idMeant } from "../resources/find-any.ts";

export const { usage, run } = defineCommand("why", (program) => {
  program.argument("<id>", "of a job, a worker, a Pod, an endpoint or a schedule; a name will do");
  addJsonOptions(program).action(explain);
  addExamples(
    program,
    "freehold why hello",
    "freehold why 0199c2f1-7a3e-7c11-8d55-1b2c3d4e5f60-u1",
  );
});

async function explain(word: string, values: CommonValues): Promise<void> {
  const service = await serviceFor(values);
  const id = await idMeant(service, word, ["job", "worker", "Pod", "endpoint", "schedule"]);
  const why = await call(service, "GET /v1/why/{id}", { params: { id } });
  if (values.json) printJson(why);
  else write(whyText(why));
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
    const since = oldest === null ? "" : `, the oldest for ${durationText(oldest)}`;
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
