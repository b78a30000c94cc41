// The file freehold.gpus.json in the data folder: which GPUs a simulated machine has, and what happens to them.

import path from "node:path";
import type { Clock } from "../../../base/clock.ts";
import { ConfigErrors, Refusal } from "../../../base/refusal.ts";
import type { Config } from "../../../config/config.ts";
import {
  type Scenario,
  scenarioSchema,
  validateScenario,
} from "../../../drivers/simulated/gpu/scenario.ts";
import {
  type ScenarioMachine,
  scenarioMachine,
} from "../../../drivers/simulated/gpu/scenario-machine.ts";
import { checkerOf, sentenceOf } from "../../../edge/management/serve/validation-errors.ts";
import { readDataFile } from "./data-file.ts";

const NAME = "freehold.gpus.json";
const check = checkerOf(scenarioSchema);

/** Null without the file. Throws ConfigErrors. */
export function readGpuScenario(
  { dataFolder }: Pick<Config, "dataFolder">,
  clock: Clock,
): ScenarioMachine | null {
  const file = path.join(dataFolder, NAME);
  const text = readDataFile(file);
  if (text === null) return null;
  const scenario = parseScenario(text);
  if (Array.isArray(scenario)) {
    throw new ConfigErrors(scenario.map((sentence) => `${file}: ${sentence}`));
  }
  return scenarioMachine(scenario, clock);
}

/** What is wrong with it, if anything is. */
export function parseScenario(text: string): Scenario | string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return [`it is no JSON: ${(error as Error).message}`];
  }
  const problems = check(value);
  if (problems) {
    const unknown = problems.unknown.map(({ path: member, known }) => {
      return `"${member}" is not known; there are ${known.join(", ")}`;
    });
    return [...unknown, ...problems.others.map(sentenceOf)];
  }
  const scenario = value as Scenario;
  const errors = validateScenario(scenario);
  return errors.length > 0 ? errors : scenario;
}

/** Simulated faults never hide the state of real GPUs. */
export function requireSimulated(scenario: ScenarioMachine | null, isSimulated: boolean): void {
  if (scenario === null || isSimulated) return;
  throw new Refusal(
    `${NAME} in the data folder simulates GPUs, and this machine does not simulate its workloads; start with --drivers simulated, or remove the file`,
  );
}
