// The pull of a simulated image, which takes its time and may fail.

import { type Clock, pause } from "../../base/clock.ts";
import { StartAborted, type StartReporter, type Workload } from "../driver.ts";
import { type ImageRule, requirePullable } from "./rules/image-rules.ts";

export interface ImagePull {
  clock: Clock;
  rule: ImageRule | null;
  report: StartReporter;
  pullMs: number;
}

export async function pullImage(
  workload: Workload,
  { clock, rule, report, pullMs }: ImagePull,
  signal: AbortSignal,
): Promise<void> {
  report(`pulling the image ${workload.image}`, "image_pulling");
  await pause(clock, pullMs, signal);
  if (signal.aborted) throw new StartAborted("it was stopped while its image was pulled");
  if (rule) requirePullable(rule, workload);
  report(`pulled the image ${workload.image}`, "image_pulled");
}
