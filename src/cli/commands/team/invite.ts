// `freehold invite <email>`: prints the link with which a person joins the account.

import { UsageError } from "../../../base/refusal.ts";
import { roles } from "../../../domain/member/roles.ts";
import { call } from "../../client/api.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, write } from "../../output/answer.ts";
import { timeText } from "../../output/time-text.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";

interface Values extends CommonValues {
  role: string;
  hours: string;
}

export const { usage, run } = defineCommand("invite", (program) => {
  program
    .argument("<email>", "the address of the person, which names them in the account")
    .option("--role <role>", `what they may do: ${roles.join(", ")}`, "dev")
    .option("--hours <hours>", "hours for which the link is valid", "168");
  addCommonOptions(program).action(invite);
});

async function invite(email: string, { role: name, hours, ...values }: Values): Promise<void> {
  const role = roles.find((each) => each === name);
  if (!role) throw new UsageError(`--role is "${name}"; it takes one of ${roles.join(", ")}`);
  const validHours = Number(hours);
  if (!/^\d{1,3}$/.test(hours) || validHours < 1 || validHours > 720) {
    throw new UsageError(`--hours is "${hours}"; it takes a whole number from 1 to 720`);
  }
  const body = { email, role, validHours };
  const answer = await call(await serviceFor(values), "POST /v1/invitations", { body });
  const { link, expiresAt } = answer;
  if (values.json) return printJson(answer);
  if (values.quiet) return write(`${link}\n`);
  write(
    `${link}\nIt works once, until ${timeText(expiresAt)}, and makes ${email} a member with the role ${role}.\n`,
  );
}
