// `freehold init`: writes the files that a worker's project or a team's service begins with.

import { initTeam, teamOptions } from "../init/team.ts";
import { initWorker } from "../init/worker.ts";
import { defineCommand } from "../program/define-command.ts";

export const { usage, run } = defineCommand("init", (program) => {
  program
    .command("worker")
    .description("write a handler with its test, in Python or JavaScript")
    .argument("[folder]", "where to write it; this folder if left out")
    .option("--javascript", "write it in JavaScript")
    .action(initWorker);
  const team = program
    .command("team")
    .description("write freehold.json for a service that a team reaches over the network");
  for (const { option, about } of teamOptions) team.option(option, about);
  team.option("--force", "replace the file that is there").action(initTeam);
});
