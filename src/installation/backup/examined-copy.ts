// Copies a store and verifies the copy, in a thread, with a progress line on the terminal.

import { once } from "node:events";
import { statSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { pause, systemClock } from "../../base/clock.ts";
import { Refusal } from "../../base/refusal.ts";
import { scriptBeside } from "../../base/script-beside.ts";
import { bytesText } from "../../base/text/bytes-text.ts";
import type { ProgressLine } from "../../base/text/progress-line.ts";
import type { Examined } from "../../store/engine/sqlite/file.ts";

export interface Task {
  from: string;
  /** An empty file. */
  to: string;
  /** True if a service may be writing to it. */
  inUse: boolean;
}

export type Examination =
  | { examined: Examined }
  | { notCopied: string }
  /** The sentence that follows the file's name and says why. */
  | { unfit: string }
  | { newer: string };

const script = scriptBeside(import.meta.url, "thread");
const SHOWN_EVERY_MS = 250;

/** Throws Refusal, with one sentence, if the copy cannot be made or fails verification. */
export async function examinedCopy(task: Task, progress: ProgressLine): Promise<Examined> {
  const thread = new Worker(script, { workerData: task });
  const ended = new AbortController();
  const shown = show(task, progress, ended.signal);
  try {
    const [answer] = (await once(thread, "message")) as [Examination];
    if ("examined" in answer) return answer.examined;
    throw new Refusal(sentence(task, answer));
  } finally {
    ended.abort();
    await shown;
  }
}

function sentence(
  { from, to }: Task,
  answer: Exclude<Examination, { examined: Examined }>,
): string {
  if ("unfit" in answer) return `${from} ${answer.unfit}`;
  if ("newer" in answer) return `${from} cannot be used: ${answer.newer}`;
  return `${from} cannot be copied to ${path.dirname(to)}: ${answer.notCopied}`;
}

async function show({ from, to }: Task, progress: ProgressLine, ended: AbortSignal): Promise<void> {
  const total = sizeOf(from);
  while (!ended.aborted) {
    const copied = sizeOf(to);
    progress.show(
      copied < total
        ? `copied ${bytesText(copied)} of at most ${bytesText(total)}`
        : `copied ${bytesText(copied)}, verifying the copy`,
    );
    await pause(systemClock, SHOWN_EVERY_MS, ended);
  }
  progress.clear();
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
