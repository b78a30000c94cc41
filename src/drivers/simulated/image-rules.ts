// The rules of freehold.simulate.json: how workloads of matching images are simulated. Pure.

import { pullError } from "../docker/engine-error.ts";
import type { Workload } from "../driver.ts";
import { jsonLines } from "./json-lines.ts";
import type { Behavior } from "./rules/behavior.ts";

export interface ImageRule {
  image: string;
  /** The JSON text of each job's output; null for the job's input. */
  output: string | null;
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
type PullOutcome = keyof typeof ENGINE_WORDS;

const outcomes = Object.keys(ENGINE_WORDS);
/** A day. */
const MAX_MS = 86_400_000;

const isMs = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_MS;
const MS = { isValid: isMs, expected: `a whole number of milliseconds, from 0 to ${MAX_MS}` };

const FIELDS: Record<string, { isValid: (value: unknown) => boolean; expected: string }> = {
  image: {
    isValid: (value) => typeof value === "string" && /^[\w.:/@*-]+$/.test(value),
    expected: 'an image name, with "*" for any characters',
  },
  output: { isValid: () => true, expected: "any JSON value" },
  delayMs: MS,
  failureRate: {
    isValid: (value) => typeof value === "number" && value >= 0 && value <= 1,
    expected: "a number from 0 to 1",
  },
  pullMs: MS,
  bootMs: MS,
  pull: {
    isValid: (value) => typeof value === "string" && outcomes.includes(value),
    expected: `one of ${outcomes.join(", ")}`,
  },
  crash: { isValid: (value) => typeof value === "boolean", expected: "true or false" },
};

interface RuleJson {
  image: string;
  output?: unknown;
  delayMs?: number;
  failureRate?: number;
  pullMs?: number;
  bootMs?: number;
  pull?: PullOutcome;
  crash?: boolean;
}

/** The rules in the order of the file, or all errors, each with its line and field. */
export function parseImageRules(text: string): { rules: ImageRule[]; errors: string[] } {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    return { rules: [], errors: [`it is not valid JSON: ${(error as Error).message}`] };
  }
  const lines = jsonLines(text);
  const errors: string[] = [];
  const report = (field: string, sentence: string) =>
    errors.push(`line ${lines.get(field) ?? 1}: ${field || "the file"} ${sentence}`);
  if (!isObject(file)) report("", 'takes an object with the field "images"');
  else {
    for (const name of Object.keys(file)) {
      if (name !== "images") report(name, "is not a field; the file takes images");
    }
    if (!Array.isArray(file.images))
      report(Object.hasOwn(file, "images") ? "images" : "", "takes a list of rules in images");
    else
      for (const [index, rule] of file.images.entries())
        checkRule(rule, `images[${index}]`, report);
  }
  if (errors.length > 0) return { rules: [], errors };
  return { rules: (file as { images: RuleJson[] }).images.map(ruleOf), errors };
}

function checkRule(
  rule: unknown,
  place: string,
  report: (field: string, sentence: string) => void,
): void {
  if (!isObject(rule)) {
    report(place, "takes an object");
    return;
  }
  if (!Object.hasOwn(rule, "image")) report(place, "needs the field image");
  for (const [name, value] of Object.entries(rule)) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (!field)
      report(`${place}.${name}`, `is not a field; a rule takes ${Object.keys(FIELDS).join(", ")}`);
    else if (!field.isValid(value)) report(`${place}.${name}`, `takes ${field.expected}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ruleOf(rule: RuleJson): ImageRule {
  const { image, output, delayMs, failureRate = 0, pullMs, bootMs, pull = "ok", crash } = rule;
  return {
    ...{ image, failureRate, pull },
    output: output === undefined ? null : JSON.stringify(output),
    behavior: {
      ...(delayMs !== undefined && { jobMs: delayMs }),
      ...(pullMs !== undefined && { pullMs }),
      ...(bootMs !== undefined && { startMs: bootMs }),
      ...(crash && { crashAtStart: true }),
    },
  };
}

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
