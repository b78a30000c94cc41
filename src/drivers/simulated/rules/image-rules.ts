// The rules of freehold.simulate.json: how workloads of matching images are simulated. Pure.

import { pullError } from "../../docker/engine-error.ts";
import type { Workload } from "../../driver.ts";
import type { OpenaiSettings } from "../openai/settings.ts";
import type { Behavior } from "./behavior.ts";
import type { JobAnswers } from "./job-answers.ts";

export interface ImageRule {
  image: string;
  /** The JSON text of each job's output; null for the job's input. */
  output: string | null;
  /** Recorded answers, in place of an output. */
  answers: JobAnswers | null;
  /** What is set of a server of OpenAI's interface; null if the rule does not say that the image is one. */
  openai: Partial<OpenaiSettings> | null;
  /** The command of a process that runs in place of the image; null if there is none. */
  program: string[] | null;
  /** The ports of this machine that stand behind ports of the workload. */
  ports: ReadonlyMap<number, number>;
  /** The share of jobs that fail, from 0 to 1. */
  failureRate: number;
  pull: PullOutcome;
  /** What differs from other images. */
  behavior: Partial<Behavior>;
}

/** What an engine reports when the pull ends so; null for a pull that succeeds. */
const ENGINE_WORDS = {
  ok: null,
  missing: "manifest unknown",
  private: "unauthorized: authentication required",
  too_large: "no space left on device",
} as const;
export type PullOutcome = keyof typeof ENGINE_WORDS;

export const pullOutcomes = Object.keys(ENGINE_WORDS);

/** The first rule whose pattern matches the complete name. */
export function ruleFor(rules: readonly ImageRule[], image: string): ImageRule | null {
  return rules.find((rule) => matches(rule.image, image)) ?? null;
}

/** Takes the parts between the stars from left to right, so that no pattern takes exponential time. */
function matches(pattern: string, name: string): boolean {
  const [head = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return name === head;
  const tail = parts.pop()!;
  if (!name.startsWith(head) || !name.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts) {
    const start = name.indexOf(part, at);
    if (start < 0) return false;
    at = start + part.length;
  }
  return at <= name.length - tail.length;
}

/** Throws StartRefused, in an engine's words, if the image cannot be pulled; a private image needs credentials. */
export function requirePullable({ pull }: ImageRule, { image, auth }: Workload): void {
  const words = pull === "private" && auth ? null : ENGINE_WORDS[pull];
  if (words !== null) throw pullError(image, words, (text) => text);
}
