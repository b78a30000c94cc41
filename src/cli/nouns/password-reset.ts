// `freehold members reset-password <email>`: prints a link that sets the member's password.

import type { Command as Program } from "commander";
import { UsageError } from "../../base/refusal.ts";
import { call } from "../client/api.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printJson, write } from "../output/answer.ts";
import { timeText } from "../output/time-text.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { addExamples } from "../program/define-command.ts";

interface Values extends CommonValues {
  removeTotp?: boolean;
}

export function addPasswordReset(program: Program): void {
  const command = program
    .command("reset-password")
    .description("print a link that sets a member's password, once, within an hour")
    .argument("<email>", "the member's e-mail address")
    .optionsGroup("Options:")
    .option("--remove-totp", "also remove the member's one-time codes");
  addExamples(command, "freehold members reset-password ada@example.org");
  addCommonOptions(command).action(reset);
}

async function reset(email: string, values: Values): Promise<void> {
  const service = await serviceFor(values);
  const members = await call(service, "GET /v1/members");
  const member = members.find((each) => each.email === email.trim().toLowerCase());
  if (!member) throw new UsageError(`no member has the e-mail address "${email}"`);
  const link = await call(service, "POST /v1/members/{memberId}/password-reset", {
    params: { memberId: member.id },
    body: { removeTotp: values.removeTotp === true },
  });
  if (values.json) return printJson(link);
  if (values.quiet) return write(`${link.url}\n`);
  const mailed = link.mailed ? `, and was mailed to ${member.email}` : "";
  const until = timeText(link.expiresAt);
  write(`${link.url}\nThe link works once, until ${until}${mailed}.\n`);
}
