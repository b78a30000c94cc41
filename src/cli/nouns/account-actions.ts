// `freehold account create NAME`, `credit` and `max-lifetime`: what the operator does with accounts.

import type { Command as Program } from "commander";
import { UsageError } from "../../base/refusal.ts";
import { MINUTE_MS } from "../../base/units.ts";
import { parseDuration } from "../../domain/duration.ts";
import { call } from "../client/api.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printChange, printJson, write } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { addExamples } from "../program/define-command.ts";
import { dollars } from "../resources/cells.ts";
import { findItem } from "../resources/find-item.ts";
import { resources } from "../resources/resource-table.ts";

export function addAccountCreation(program: Program): void {
  const command = program
    .command("create")
    .description("create an account and print its first key, once")
    .argument("<name>", "the account's name")
    .optionsGroup("Options:")
    .option("--unlimited", "metered, but never stopped for lack of credits");
  addExamples(command, "freehold account create lab --unlimited");
  addCommonOptions(command).action(create);
}

export function addAccountActions(program: Program): void {
  const credit = program
    .command("credit")
    .description("add credits to an account, or remove some")
    .argument("<account>", "an id or a name")
    .argument("<dollars>", "how many; a negative number behind -- removes them");
  addExamples(credit, "freehold account credit lab 25", "freehold account credit -- lab -5");
  addCommonOptions(credit).action(addCredits);
  const lifetime = program
    .command("max-lifetime")
    .description("stop the Pods of an account so long after their start")
    .argument("<account>", "an id or a name")
    .argument("<span>", "such as 24h; none ends it")
    .optionsGroup("Options:")
    .option("--fixed", "Pods cannot be kept for longer");
  addExamples(lifetime, "freehold account max-lifetime lab 24h --fixed");
  addCommonOptions(lifetime).action(limitLifetime);
}

async function create(name: string, values: CommonValues & { unlimited?: boolean }): Promise<void> {
  const body = { name, limited: !values.unlimited };
  const account = await call(await serviceFor(values), "POST /v1/accounts", { body });
  if (values.json) return printJson(account);
  if (values.quiet) return write(`${account.key}\n`);
  write(
    `${account.key}\nfull access to account ${name}; its id is ${account.id}. The key is shown once.\n`,
  );
}

async function addCredits(word: string, text: string, values: CommonValues): Promise<void> {
  const amount = Number(text);
  if (text.trim() === "" || !Number.isFinite(amount))
    throw new UsageError(`"${text}" is not an amount in dollars, such as 25`);
  const service = await serviceFor(values);
  const params = { accountId: (await findItem(service, resources.account!, word)).id };
  await call(service, "POST /v1/accounts/{accountId}/credits", { params, body: { amount } });
  const account = await call(service, "GET /v1/accounts/{accountId}", { params });
  printChange(`account ${account.id} has ${dollars(account.balance)}`, account, values);
}

async function limitLifetime(
  word: string,
  text: string,
  values: CommonValues & { fixed?: boolean },
): Promise<void> {
  const ms = parseDuration(text);
  if (ms === null && text !== "none")
    throw new UsageError(`"${text}" is not a duration such as 24h, and not none`);
  const service = await serviceFor(values);
  const params = { accountId: (await findItem(service, resources.account!, word)).id };
  const maxLifetime =
    ms === null ? null : { minutes: ms / MINUTE_MS, extendable: values.fixed !== true };
  const body = { maxLifetime };
  const account = await call(service, "PATCH /v1/accounts/{accountId}", { params, body });
  const what = ms === null ? "run without a maximum lifetime" : `are stopped ${text} after a start`;
  printChange(`Pods of account ${account.id} ${what}`, account, values);
}
