// `freehold account`: the accounts of this Freehold, for its operator.

import { parseArgs } from "node:util";
import { UsageError } from "../../base/refusal.ts";
import type { ManagedAccount } from "../../contract/rest-v1/account/accounts.ts";
import { parseSpan, spanText } from "../../domain/span.ts";
import type { RunningService } from "../client/running-service.ts";
import { ask } from "../client/service-request.ts";
import { serviceFor } from "../context/choose-service.ts";
import { readOptions, serviceOptions, serviceUsage } from "../options.ts";

export const usage = `  freehold account create NAME        create an account and print its first key, once
  freehold account list
  freehold account credit ID DOLLARS  add credits; -- ID -5 removes some
  freehold account disable ID         reject its keys and stop what it runs
  freehold account enable ID
  freehold account max-lifetime ID SPAN   stop its Pods so long after their start, such as 24h; none ends it

  --unlimited       with create: metered, but never stopped for lack of credits
  --fixed           with max-lifetime: Pods cannot be kept for longer
  --json            the answer as JSON
${serviceUsage}`;

const options = {
  ...serviceOptions,
  unlimited: { type: "boolean", default: false },
  fixed: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof read>["values"];
type Action = (service: RunningService, words: string[], values: Values) => Promise<unknown>;

/** The subcommands, each with its arguments. */
const actions: Record<string, { takes: string[]; act: Action }> = {
  create: { takes: ["a name"], act: create },
  list: { takes: [], act: (service) => ask(service, "GET", "/v1/accounts") },
  credit: { takes: ["an account's id", "an amount of dollars"], act: credit },
  disable: { takes: ["an account's id"], act: (service, [id]) => change(service, id!, true) },
  "max-lifetime": { takes: ["an account's id", "a duration such as 24h"], act: limitLifetime },
  enable: { takes: ["an account's id"], act: (service, [id]) => change(service, id!, false) },
};

export async function run(args: string[]): Promise<undefined> {
  const { values, positionals } = read(args);
  const [name = "list", ...words] = positionals;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) {
    throw new UsageError(
      `account has no subcommand "${name}"; it has ${Object.keys(actions).join(", ")}`,
    );
  }
  if (words.length !== action.takes.length) {
    throw new UsageError(`account ${name} takes ${action.takes.join(" and ") || "nothing more"}`);
  }
  const answer = await action.act(await serviceFor(values), words, values);
  const text = values.json ? `${JSON.stringify(answer, null, 2)}\n` : accountText(answer);
  process.stdout.write(text);
  return undefined;
}

function read(args: string[]) {
  return readOptions("account", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
}

async function create(service: RunningService, [name]: string[], { unlimited }: Values) {
  return ask(service, "POST", "/v1/accounts", { name, limited: !unlimited });
}

async function credit(service: RunningService, [id, dollars]: string[]): Promise<unknown> {
  const amount = Number(dollars);
  if (!Number.isFinite(amount))
    throw new UsageError(`"${dollars}" is not an amount in dollars, such as 25`);
  await ask(service, "POST", `${path(id!)}/credits`, { amount });
  return ask(service, "GET", path(id!));
}

async function change(service: RunningService, id: string, disabled: boolean): Promise<unknown> {
  return ask(service, "PATCH", path(id), { disabled });
}

async function limitLifetime(
  service: RunningService,
  [id, text]: string[],
  { fixed }: Values,
): Promise<unknown> {
  const ms = parseSpan(text!);
  if (ms === null && text !== "none")
    throw new UsageError(`"${text}" is not a duration such as 24h, and not none`);
  const maxLifetime = ms === null ? null : { minutes: ms / MINUTE_MS, extendable: !fixed };
  return ask(service, "PATCH", path(id!), { maxLifetime });
}

const MINUTE_MS = 60_000;

function accountText(answer: unknown): string {
  return ([answer].flat() as (ManagedAccount & { key?: string })[]).map(line).join("");
}

/** For example "user_x  lab  enabled  12.5 dollars, 0.44 per hour". */
function line({
  id,
  name,
  disabled,
  limited,
  balance,
  spendPerHr,
  maxLifetime,
  key,
}: ManagedAccount & { key?: string }) {
  const state = disabled ? "disabled" : "enabled";
  const money = `${balance} dollars${limited ? "" : " (unlimited)"}, ${spendPerHr} per hour`;
  const secret = key ? `${key}\nThe key is shown once and has full access to the account.\n` : "";
  const limit = maxLifetime ? `, Pods run for ${spanText(maxLifetime.minutes * MINUTE_MS)}` : "";
  return `${secret}${id}  ${name}  ${state}  ${money}${limit}\n`;
}

const path = (id: string) => `/v1/accounts/${encodeURIComponent(id)}`;
