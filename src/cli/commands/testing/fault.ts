// `freehold fault`: lists the faults that a test can switch on, and switches them.

import { UsageError } from "../../../base/refusal.ts";
import type { FaultState } from "../../../contract/rest-v1/testing/fault.ts";
import { call } from "../../client/api.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printDone, printJson, write } from "../../output/answer.ts";
import { type TableColumn, tableText } from "../../output/table.ts";
import { exactTimeText } from "../../output/time-text.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";

interface OnValues extends CommonValues {
  for?: string;
  rate?: string;
  match?: string;
}

const columns: TableColumn<FaultState>[] = [
  ["NAME", ({ name }) => name],
  ["ON", ({ active }) => active && settingsOf(active)],
  ["HITS", ({ hits }) => hits],
  ["WHAT HAPPENS", ({ description }) => description.replaceAll("`", "")],
];

export const { usage, run } = defineCommand("fault", (program) => {
  const list = program
    .command("list", { isDefault: true })
    .description("print the faults, and which are on; the default");
  addCommonOptions(list).action(async (values: CommonValues) => {
    print(await call(await serviceFor(values), "GET /v1/faults"), values);
  });
  const on = program.command("on <name>").description("switch a fault on");
  on.optionsGroup("Options:")
    .option("--for <duration>", "switch it off after this time: 90s, 5m, 1h30m")
    .option("--rate <share>", "strike this share only, such as 0.1")
    .option("--match <text>", 'strike only what contains this, such as "POST /v1/pods"');
  addExamples(on, "freehold fault on 429-storm --for 5m --match /v1/pods");
  addCommonOptions(on).action(async (name: string, values: OnValues) => {
    const { rate, match } = values;
    const body = {
      name,
      ...(values.for !== undefined && { for: values.for }),
      ...(rate !== undefined && { rate: share(rate) }),
      ...(match !== undefined && { match }),
    };
    print([await call(await serviceFor(values), "POST /v1/faults", { body })], values);
  });
  const off = program.command("off <name>").description("switch a fault off");
  addCommonOptions(off).action(async (faultName: string, values: CommonValues) => {
    const params = { faultName };
    await call(await serviceFor(values), "DELETE /v1/faults/{faultName}", { params });
    printDone(`fault ${faultName} is off`, { name: faultName, active: null }, values);
  });
});

function share(text: string): number {
  const rate = Number(text);
  if (rate > 0 && rate <= 1) return rate;
  throw new UsageError(`--rate is "${text}"; it takes a number above 0 and up to 1`);
}

function print(faults: FaultState[], values: CommonValues): void {
  if (values.json) printJson(faults);
  else if (values.quiet) write(faults.map(({ name }) => `${name}\n`).join(""));
  else write(tableText(faults, columns, process.stdout));
}

function settingsOf({ rate, match, until }: NonNullable<FaultState["active"]>): string {
  const parts = [
    rate === 1 ? "all" : `${Number((100 * rate).toPrecision(3))}%`,
    match && `of ${match}`,
    until && `until ${exactTimeText(until)}`,
  ];
  return parts.filter(Boolean).join(" ");
}
