// Reads how often keys may ask.

import {
  type Limit,
  type LimitName,
  type Limits,
  limitNames,
  runpod,
  unlimited,
} from "../domain/rate/limits.ts";

const profiles: Record<string, Limits> = { off: unlimited, runpod };

/** "off", "runpod", or limits as a JSON object, on top of a profile if they name one. */
export function readRateLimits(given: string | null, mistakes: string[]): Limits {
  if (given === null) return unlimited;
  const profile = profiles[given];
  if (profile) return profile;
  const wanted = parsed(given);
  if (!wanted) {
    mistakes.push(
      'FREEHOLD_RATE_LIMITS takes off, runpod, or a JSON object such as {"run": {"requests": 100}}',
    );
    return unlimited;
  }
  const { profile: base = "off", ...own } = wanted;
  const known = profiles[String(base)];
  if (!known) mistakes.push(`FREEHOLD_RATE_LIMITS: "profile" is "${base}"; it takes off or runpod`);
  const of = { ...known?.of };
  for (const [name, limit] of Object.entries(own)) {
    const mistake = mistakeIn(name, limit);
    if (mistake) mistakes.push(`FREEHOLD_RATE_LIMITS: ${mistake}`);
    else of[name as LimitName] = limit as Limit;
  }
  return { of, queue: known?.queue ?? null };
}

function mistakeIn(name: string, limit: unknown): string | null {
  if (!(limitNames as readonly string[]).includes(name)) {
    return `there is no "${name}"; there are ${limitNames.join(", ")}`;
  }
  const members = Object.entries((limit ?? {}) as object);
  const strange = members.find(([key]) => !["requests", "concurrent", "perWorker"].includes(key));
  const wrong = members.some(([, value]) => !Number.isInteger(value) || value < 1);
  if (!strange && !wrong && members.some(([key]) => key === "requests")) return null;
  return `"${name}" takes "requests" in 10 s, and may take "concurrent" and "perWorker", all whole and above 0`;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
