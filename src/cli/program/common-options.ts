// The options that every command on a Freehold has: which Freehold, and how the answer is printed.

import type { Command as Program } from "commander";
import type { ServiceChoice } from "../context/choose-service.ts";
import type { Printing } from "../output/answer.ts";

export type CommonValues = ServiceChoice & Printing;

export function addCommonOptions(program: Program): Program {
  return addServiceOptions(
    program
      .optionsGroup("Output:")
      .option("--json", "the answer as JSON")
      .option("-q, --quiet", "only ids, or nothing"),
  );
}

export function addServiceOptions(program: Program): Program {
  return program
    .optionsGroup("Which Freehold:")
    .option("--context <name>", "a Freehold that `freehold login` knows, or local")
    .option("--data <folder>", "the data folder of a local one (default: ./.freehold)")
    .option("--listen <address>", "where it listens, if the data folder does not say")
    .option("--config <file>", "its settings' file (default: ./freehold.json)");
}
