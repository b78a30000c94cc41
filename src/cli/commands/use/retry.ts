// `freehold retry`: the same as `freehold jobs retry`.

import { addAction } from "../../nouns/resource-action.ts";
import { defineCommand } from "../../program/define-command.ts";
import { resources } from "../../resources/resource-table.ts";

export const { usage, run } = defineCommand("retry", async (program) => {
  const { jobs } = resources;
  await addAction(program, jobs!, jobs!.actions!.retry!);
});
