// Reads the text of freehold.simulate.json, and says what is wrong with it, with lines and fields. Pure: files
// that the rules name are read by what it is given.

import { isObject } from "../../../base/json/is-object.ts";
import { DAY_MS } from "../../../base/units.ts";
import { LARGEST_PORT } from "../../../domain/container/ports.ts";
import { jsonLines } from "../json-lines.ts";
import type { OpenaiSettings } from "../openai/settings.ts";
import { type ImageRule, type PullOutcome, pullOutcomes } from "./image-rules.ts";
import type { JobAnswers } from "./job-answers.ts";

/** A day. */
const MAX_MS = DAY_MS;

const isMs = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_MS;
const MS = { isValid: isMs, expected: `a whole number of milliseconds, from 0 to ${MAX_MS}` };

const isPort = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LARGEST_PORT;
const isText = (value: unknown) =>
  typeof value === "string" && value !== "" && !value.includes("\0");
const PATH = { isValid: isText, expected: "the path of a file" };

interface Field {
  isValid: (value: unknown) => boolean;
  expected: string;
  /** The fields of an object, whose errors are reported by themselves. */
  fields?: Record<string, Field>;
}

const OPENAI_FIELDS: Record<string, Field> = {
  text: { isValid: (value) => typeof value === "string", expected: "a text" },
  tokensPerSecond: {
    isValid: (value) => typeof value === "number" && value >= 0.1 && value <= 100_000,
    expected: "a number from 0.1 to 100000",
  },
  models: {
    isValid: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
    expected: "a list of names of models",
  },
  dimensions: {
    isValid: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 8_192,
    expected: "a whole number from 1 to 8192",
  },
};

const FIELDS: Record<string, Field> = {
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
    isValid: (value) => typeof value === "string" && pullOutcomes.includes(value),
    expected: `one of ${pullOutcomes.join(", ")}`,
  },
  crash: { isValid: (value) => typeof value === "boolean", expected: "true or false" },
  handler: PATH,
  command: {
    isValid: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
    expected: "a list of a program and its arguments",
  },
  cassette: PATH,
  openai: { isValid: isObject, expected: "an object", fields: OPENAI_FIELDS },
  ports: {
    isValid: (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([from, to]) => /^\d+$/.test(from) && isPort(+from) && isPort(to),
      ),
    expected: 'an object of ports, such as {"8000": 3000}',
  },
};
/** What answers the jobs: a rule has one of them. */
const ANSWERS = ["output", "handler", "command", "cassette", "openai"] as const;
/** A program has its own times and failures. */
const NOT_OF_PROGRAMS = ["delayMs", "failureRate", "bootMs", "crash"] as const;

interface RuleJson {
  image: string;
  output?: unknown;
  delayMs?: number;
  failureRate?: number;
  pullMs?: number;
  bootMs?: number;
  pull?: PullOutcome;
  crash?: boolean;
  handler?: string;
  command?: string[];
  cassette?: string;
  openai?: Partial<OpenaiSettings>;
  ports?: Record<string, number>;
}

/** Reads the files that rules name. Each throws an error with a sentence about a file that does not do. */
export interface RuleFiles {
  /** The command that runs a handler. */
  handler(file: string): string[];
  /** The command as it is started. */
  command(words: readonly string[]): string[];
  cassette(file: string): JobAnswers;
}

type Report = (field: string, sentence: string) => void;

/** The rules in the order of the file, or all errors, each with its line and field. */
export function parseImageRules(
  text: string,
  files: RuleFiles,
): { rules: ImageRule[]; errors: string[] } {
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
  const rules = (file as { images: RuleJson[] }).images.map((rule, index) =>
    ruleOf(rule, readFiles(rule, `images[${index}]`, files, report)),
  );
  return errors.length > 0 ? { rules: [], errors } : { rules, errors };
}

/** What a rule's files hold. Reports those that cannot be used. */
function readFiles(rule: RuleJson, place: string, files: RuleFiles, report: Report) {
  const read = <T>(name: string, open: () => T): T | null => {
    try {
      return open();
    } catch (error) {
      report(`${place}.${name}`, `cannot be used: ${(error as Error).message}`);
      return null;
    }
  };
  const { handler, command, cassette } = rule;
  if (handler !== undefined) return { program: read("handler", () => files.handler(handler)) };
  if (command !== undefined) return { program: files.command(command) };
  if (cassette === undefined) return {};
  return { answers: read("cassette", () => files.cassette(cassette)) };
}

function checkRule(rule: unknown, place: string, report: Report): void {
  if (!isObject(rule)) {
    report(place, "takes an object");
    return;
  }
  if (!Object.hasOwn(rule, "image")) report(place, "needs the field image");
  checkFields(rule, { fields: FIELDS, owner: "a rule", place }, report);
  const [first, ...others] = ANSWERS.filter((name) => Object.hasOwn(rule, name));
  for (const name of others) report(`${place}.${name}`, `cannot be set beside ${first}`);
  if (first !== "handler" && first !== "command") return;
  for (const name of NOT_OF_PROGRAMS) {
    if (Object.hasOwn(rule, name)) report(`${place}.${name}`, `cannot be set beside ${first}`);
  }
}

function checkFields(
  object: Record<string, unknown>,
  { fields, owner, place }: { fields: Record<string, Field>; owner: string; place: string },
  report: Report,
): void {
  for (const [name, value] of Object.entries(object)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const path = `${place}.${name}`;
    if (!field) report(path, `is not a field; ${owner} takes ${Object.keys(fields).join(", ")}`);
    else if (!field.isValid(value)) report(path, `takes ${field.expected}`);
    else if (field.fields && isObject(value))
      checkFields(value, { fields: field.fields, owner: name, place: path }, report);
  }
}

function ruleOf(rule: RuleJson, files: Partial<ImageRule>): ImageRule {
  const { image, output, delayMs, failureRate = 0, pullMs, bootMs, pull = "ok", crash } = rule;
  return {
    image,
    failureRate,
    pull,
    output: output === undefined ? null : JSON.stringify(output),
    openai: rule.openai ?? null,
    answers: null,
    program: null,
    ...files,
    ports: new Map(Object.entries(rule.ports ?? {}).map(([from, to]) => [Number(from), to])),
    behavior: {
      ...(delayMs !== undefined && { jobMs: delayMs }),
      ...(pullMs !== undefined && { pullMs }),
      ...(bootMs !== undefined && { startMs: bootMs }),
      ...(crash && { crashAtStart: true }),
    },
  };
}
