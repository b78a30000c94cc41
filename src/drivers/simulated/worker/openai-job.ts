// A job that is a request in OpenAI's form: its answer is streamed as workers of language models do.

import { isObject } from "../../../base/json/is-object.ts";
import { answerOpenai, type OpenaiAnswer } from "../openai/answer.ts";
import { durationMs, piecesAtRate } from "../openai/pace.ts";
import { isSetToFail, type TakenJob } from "./job-result.ts";
import { type JobRun, post, postResult } from "./post.ts";
import type { WorkerRuntime } from "./runtime.ts";

/** Null if the image does not serve OpenAI's interface, or the job is another one. */
export function openaiAnswer(runtime: WorkerRuntime, { id, input }: TakenJob): OpenaiAnswer | null {
  if (!runtime.openai) return null;
  const request: unknown = JSON.parse(input);
  if (!isObject(request) || typeof request.openai_route !== "string") return null;
  const { openai_route: route, openai_input: body = null } = request;
  return answerOpenai(runtime.openai, { route, body }, { id, createdAt: runtime.now() });
}

/** Resolves to false if the job was stopped. */
export async function answerJob(run: JobRun, answer: OpenaiAnswer): Promise<boolean> {
  const { runtime, job, stopped } = run;
  const { behavior, rule } = runtime;
  await runtime.pause(behavior.jobMs, stopped);
  await runtime.untilNotSilent();
  const isFailing = answer.kind === "error" || isSetToFail(job, behavior, rule);
  const outputs = isFailing ? [] : await yieldAnswer(run, answer);
  if (stopped.aborted || runtime.hasEnded) return false;
  const jobAnswer =
    answer.kind === "error" ? { error: answer.message } : { output: `[${outputs.join(",")}]` };
  await postResult(run, { isStream: true, answer: jobAnswer });
  return true;
}

/** Posts what the answer yields, each at its time. Resolves to what it posted, as JSON texts. */
async function yieldAnswer(
  { runtime, routes, job, stopped }: JobRun,
  answer: Exclude<OpenaiAnswer, { kind: "error" }>,
): Promise<string[]> {
  const { tokensPerSecond } = runtime.openai!;
  const pause = (delayMs: number) => runtime.pause(delayMs, stopped);
  const outputs: string[] = [];
  const postOutput = async (output: string) => {
    if (stopped.aborted) return;
    outputs.push(output);
    await post(runtime, routes.stream(job.id), `{"output":${output}}`);
  };
  if (answer.kind === "object") {
    await pause(durationMs(answer.tokens, tokensPerSecond));
    await postOutput(answer.text);
    return outputs;
  }
  const clock = { ticks: () => runtime.ticks(), pause };
  for await (const piece of piecesAtRate(answer.events, tokensPerSecond, clock)) {
    if (stopped.aborted) break;
    await postOutput(JSON.stringify(piece));
  }
  return outputs;
}
