// `freehold apply -f FILE`: creates what a file describes and changes what differs from it.

import { Refusal, UsageError } from "../../../base/refusal.ts";
import { type PlanStep, planOf, withIds } from "../../apply/plan.ts";
import { callRoute } from "../../client/api.ts";
import type { RunningService } from "../../client/running-service.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, write } from "../../output/answer.ts";
import { plainText } from "../../output/table.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";
import { textArgument } from "../../program/json-argument.ts";
import { type Item, idParamOf } from "../../resources/resource.ts";

interface Values extends CommonValues {
  file: string;
  dryRun?: boolean;
}

export const { usage, run } = defineCommand("apply", (program) => {
  program
    .optionsGroup("Options:")
    .requiredOption("-f, --file <file>", "YAML or JSON; - reads it from the standard input")
    .option("--dry-run", "print the plan and change nothing");
  addCommonOptions(program).action(apply);
  addExamples(program, "freehold apply -f lab.yaml --dry-run", "freehold apply -f lab.yaml");
});

async function apply(values: Values): Promise<void> {
  const { file } = values;
  const text = await textArgument(file === "-" ? file : `@${file}`);
  const service = await serviceFor(values);
  const plan = await planOf(service, await parse(file, text));
  const isQuiet = values.quiet || values.json;
  for (const step of plan) if (!isQuiet) write(`${plainText(describe(step))}\n`);
  const steps: object[] = [];
  for (const step of plan) {
    const id = values.dryRun ? (step.item?.id ?? null) : await named(step, take(service, step));
    steps.push({ ...outlineOf(step), id });
    if (values.quiet && !values.json && id !== null) write(`${id}\n`);
  }
  if (values.json) printJson(steps);
}

async function parse(file: string, text: string): Promise<unknown> {
  const { load } = await import("js-yaml");
  try {
    return load(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid YAML: ${(error as Error).message}`);
  }
}

type Action = "create" | "change" | "keep";

function outlineOf({ kind, fields, item, changes, removedVariables }: PlanStep) {
  const names = Object.keys(changes);
  const action: Action = item === null ? "create" : names.length > 0 ? "change" : "keep";
  return { action, kind: kind.noun, name: fields.name, changes: names, removedVariables };
}

function describe(step: PlanStep): string {
  const { action, kind, name, changes, removedVariables } = outlineOf(step);
  const removal = removedVariables.length > 0 ? ` (removes ${removedVariables.join(", ")})` : "";
  const texts = changes.map((change) => (change === "env" ? `env${removal}` : change));
  return [
    `${action.padEnd(6)}  ${kind} ${name}`,
    ...(texts.length > 0 ? [texts.join(", ")] : []),
  ].join(": ");
}

/** A refusal says which step it is about; those before it are done. */
async function named<Result>({ kind, fields }: PlanStep, result: Promise<Result>): Promise<Result> {
  return result.catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(`${kind.noun} ${fields.name}: ${error.message}`, error.exitCode);
  });
}

/** The id of what the step is about. */
async function take(service: RunningService, step: PlanStep): Promise<string> {
  const { kind, fields, item } = step;
  if (item === null) {
    const body = await withIds(service, fields);
    return ((await callRoute(service, kind.create!, { body })) as Item).id;
  }
  const changes = { ...step.repeated, ...step.changes };
  if (Object.keys(changes).length === 0) return item.id;
  const params = { [idParamOf(kind.update!)]: item.id };
  await callRoute(service, kind.update!, { params, body: await withIds(service, changes) });
  return item.id;
}
