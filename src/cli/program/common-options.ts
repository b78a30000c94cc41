// The options that commands share: which Freehold, and how the answer is printed.

import type { Command as Program } from "commander";
import type { ServiceChoice } from "../context/choose-service.ts";
import type { Printing } from "../output/answer.ts";

export type CommonValues = ServiceChoice & Printing;

export function addCommonOptions(program: Program): Program {
  return addServiceOptions(addOutputOptions(program).option("-q, --quiet", "only ids, or nothing"));
}

/** The options of commands whose answer has no ids. */
export const addJsonOptions = (program: Program): Program =>
  addServiceOptions(addOutputOptions(program));

/** The options of commands that read or change the data folder itself. */
export const addStoreOptions = (program: Program): Program =>
  addFolderOptions(addOutputOptions(program).optionsGroup("Which data folder:"));

const addOutputOptions = (program: Program): Program =>
  program.optionsGroup("Output:").option("--json", "the answer as JSON");

export function addServiceOptions(program: Program): Program {
  program
    .optionsGroup("Which Freehold:")
    .option("--context <name>", "a Freehold that `freehold login` knows, or local");
  return addHomeOptions(program, "the data folder of a local one (default: ./.freehold)");
}

/** The options of commands that need the Freehold of this machine. */
export const addReachOptions = (program: Program): Program =>
  addHomeOptions(program.optionsGroup("Which Freehold:"), "its data folder (default: ./.freehold)");

const addHomeOptions = (program: Program, about: string): Program =>
  program
    .option("--data <folder>", about)
    .option("--listen <address>", "where it listens, if the data folder does not say")
    .option("--config <file>", "its settings' file (default: ./freehold.json)");

export const addFolderOptions = (program: Program): Program =>
  program
    .option("--data <folder>", "the data folder (default: ./.freehold)")
    .option("--config <file>", "the settings' file (default: ./freehold.json)");
