// `freehold balance`: the credits of the account, and how long they last.

import { call } from "../../client/api.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, write } from "../../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";
import { dollars } from "../../resources/cells.ts";

export const { usage, run } = defineCommand("balance", (program) => {
  addCommonOptions(program).action(printBalance);
});

async function printBalance(values: CommonValues): Promise<void> {
  const answer = await call(await serviceFor(values), "GET /v1/balance");
  const { balance, spendPerHr, limited, emptyAt, terminateAt } = answer;
  if (values.json) return printJson(answer);
  if (values.quiet) return write(`${balance}\n`);
  const lines = [
    `balance       ${balanceText(balance, limited)}`,
    `current cost  ${dollars(spendPerHr)} per hour`,
    ...(emptyAt ? [`empty at      ${emptyAt}`] : []),
    ...(terminateAt ? [`deletion at   ${terminateAt}`] : []),
  ];
  write(lines.map((line) => `${line}\n`).join(""));
}

/** An account without a limit has no debt, whatever it used. */
function balanceText(balance: number, limited: boolean): string {
  if (limited || balance > 0) return cents(balance) + (limited ? "" : ", and no limit");
  return `no limit; ${cents(-balance)} used so far`;
}

const cents = (amount: number) => `${amount < 0 ? "-" : ""}$${Math.abs(amount).toFixed(2)}`;
