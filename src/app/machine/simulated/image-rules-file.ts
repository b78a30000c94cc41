// The file freehold.simulate.json in the data folder, with the handlers and cassettes that it names.

import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../../../base/clock.ts";
import { ConfigErrors, Refusal } from "../../../base/refusal.ts";
import { readRecordedJobs } from "../../../cassette/replay/recorded-jobs.ts";
import type { ImageRule } from "../../../drivers/simulated/rules/image-rules.ts";
import { JobAnswers } from "../../../drivers/simulated/rules/job-answers.ts";
import {
  parseImageRules,
  type RuleFiles,
} from "../../../drivers/simulated/rules/parse-image-rules.ts";
import { readDataFile } from "./data-file.ts";

/** No rules without the file. Throws ConfigErrors. */
export function readImageRules(dataFolder: string, clock: Clock): ImageRule[] {
  const file = path.join(dataFolder, "freehold.simulate.json");
  const text = readDataFile(file);
  if (text === null) return [];
  const { rules, errors } = parseImageRules(text, filesIn(dataFolder, clock));
  if (errors.length > 0) throw new ConfigErrors(errors.map((sentence) => `${file}: ${sentence}`));
  return rules;
}

/** Paths are relative to the data folder, in which programs also run. */
function filesIn(dataFolder: string, clock: Clock): RuleFiles {
  const folder = path.resolve(dataFolder);
  const command = (words: readonly string[]) => [
    "/bin/sh",
    "-c",
    'cd "$0" && exec "$@"',
    folder,
    ...words,
  ];
  return {
    command,
    handler(name) {
      const file = path.resolve(folder, name);
      requireFile(file);
      return command([...interpreterOf(file), file]);
    },
    cassette(name) {
      const file = path.resolve(folder, name);
      return new JobAnswers(name, readRecordedJobs(file, clock.now()));
    },
  };
}

function interpreterOf(file: string): string[] {
  if (file.endsWith(".py")) return ["python3", "-u"];
  if (/\.[cm]?[jt]s$/.test(file)) return [process.execPath];
  throw new Refusal("a handler is a file of Python or JavaScript; name another program in command");
}

function requireFile(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new Refusal(isMissing ? `there is no file ${file}` : `${file} cannot be read`);
  }
  if (!statSync(file).isFile()) throw new Refusal(`${file} is not a file`);
}
