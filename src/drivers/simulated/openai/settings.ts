// How a simulated server of OpenAI's interface answers.

import type { Workload } from "../../driver.ts";
import { servedModels, servesOpenai } from "./server-images.ts";

export interface OpenaiSettings {
  /** The text of every answer; null for one that repeats the last message. */
  text: string | null;
  tokensPerSecond: number;
  /** The models that it serves; if empty, every model that a request names. */
  models: readonly string[];
  /** The length of an embedding. */
  dimensions: number;
}

const DEFAULTS: OpenaiSettings = {
  text: null,
  tokensPerSecond: 50,
  models: [],
  dimensions: 384,
};
/** How many requests a worker of vLLM serves at once. */
const DEFAULT_CONCURRENCY = 30;

/** The settings of a workload whose image is known, or that `set` says something of; null for others. */
export function openaiSettings(
  workload: Workload,
  set: Partial<OpenaiSettings> | null,
): OpenaiSettings | null {
  if (!set && !servesOpenai(workload.image)) return null;
  return { ...DEFAULTS, models: servedModels(workload), ...set };
}

export function openaiConcurrency({ env }: Workload): number {
  const text = env.MAX_CONCURRENCY ?? "";
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : DEFAULT_CONCURRENCY;
}
