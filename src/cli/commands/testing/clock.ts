// `freehold clock`: shows the clock of a service, and moves a virtual one forward.

import { call } from "../../client/api.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, write } from "../../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";

interface MoveValues extends CommonValues {
  silentWorkers?: boolean;
}

export const { usage, run } = defineCommand("clock", (program) => {
  const show = program
    .command("show", { isDefault: true })
    .description("print the time; the default");
  addCommonOptions(show).action(async (values: CommonValues) => {
    print(await call(await serviceFor(values), "GET /v1/clock"), values);
  });
  const advance = program
    .command("advance <duration>")
    .description("move a virtual clock forward: 90s, 15m, 36h, 7d, 2w, 1h30m");
  addMove(advance, "advance");
  addMove(
    program.command("to <instant>").description("the same, to an instant: 2027-01-31T18:00:00Z"),
    "to",
  );
});

function addMove(program: Parameters<typeof addCommonOptions>[0], field: "advance" | "to"): void {
  const option = "workers count as silent meanwhile, and lose their jobs";
  const options = program.optionsGroup("Options:").option("--silent-workers", option);
  addCommonOptions(options).action(async (text: string, values: MoveValues) => {
    const workers = values.silentWorkers ? "silent" : "kept";
    const body = { [field]: text, workers } as const;
    print(await call(await serviceFor(values), "POST /v1/clock", { body }), values);
  });
}

function print(answer: { now: string; mode: string }, values: CommonValues): void {
  if (values.json) printJson(answer);
  else if (values.quiet) write(`${answer.now}\n`);
  else write(`${answer.now}  ${answer.mode}\n`);
}
