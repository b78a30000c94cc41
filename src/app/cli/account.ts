// `freehold account`: the accounts of this Freehold, for its operator.

import { parseArgs } from "node:util";
import type { ManagedAccount } from "../../contract/rest-v1/accounts.ts";
import { Refusal } from "../refusal.ts";
import { ask } from "./ask.ts";
import { homeFor, reachOptions, reachUsage, readOptions } from "./options.ts";
import { needService, type Service } from "./service.ts";

export const usage = `  freehold account create NAME        makes an account and shows its first key this once
  freehold account list
  freehold account credit ID DOLLARS  gives it credits; -- ID -5 takes some
  freehold account disable ID         its keys open nothing, and what it runs is stopped
  freehold account enable ID

  --unlimited       of create: metered, and never stopped for want of credits
  --json            the answer as JSON
${reachUsage}`;

const options = {
  ...reachOptions,
  unlimited: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof read>["values"];
type Action = (service: Service, words: string[], values: Values) => Promise<unknown>;

/** Each with the words that it takes. */
const actions: Record<string, { takes: string[]; act: Action }> = {
  create: { takes: ["a name"], act: create },
  list: { takes: [], act: (service) => ask(service, "GET", "/v1/accounts") },
  credit: { takes: ["an account's id", "an amount of dollars"], act: credit },
  disable: { takes: ["an account's id"], act: (service, [id]) => change(service, id!, true) },
  enable: { takes: ["an account's id"], act: (service, [id]) => change(service, id!, false) },
};

export async function run(args: string[]): Promise<undefined> {
  const { values, positionals } = read(args);
  const [name = "list", ...words] = positionals;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) {
    throw new Refusal(
      `account does not know "${name}"; there are ${Object.keys(actions).join(", ")}`,
    );
  }
  if (words.length !== action.takes.length) {
    throw new Refusal(`account ${name} takes ${action.takes.join(" and ") || "nothing more"}`);
  }
  const answer = await action.act(await needService(homeFor(values)), words, values);
  const text = values.json ? `${JSON.stringify(answer, null, 2)}\n` : told(answer);
  process.stdout.write(text);
  return undefined;
}

function read(args: string[]) {
  return readOptions("account", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
}

async function create(service: Service, [name]: string[], { unlimited }: Values) {
  return ask(service, "POST", "/v1/accounts", { name, limited: !unlimited });
}

async function credit(service: Service, [id, dollars]: string[]): Promise<unknown> {
  const amount = Number(dollars);
  if (!Number.isFinite(amount)) throw new Refusal(`"${dollars}" is no amount of dollars: 25`);
  await ask(service, "POST", `${path(id!)}/credits`, { amount });
  return ask(service, "GET", path(id!));
}

async function change(service: Service, id: string, disabled: boolean): Promise<unknown> {
  return ask(service, "PATCH", path(id), { disabled });
}

function told(answer: unknown): string {
  return ([answer].flat() as (ManagedAccount & { key?: string })[]).map(line).join("");
}

/** "user_x  lab  enabled  12.5 dollars, 0.44 per hour" */
function line({
  id,
  name,
  disabled,
  limited,
  balance,
  spendPerHr,
  key,
}: ManagedAccount & { key?: string }) {
  const state = disabled ? "disabled" : "enabled";
  const money = `${balance} dollars${limited ? "" : " (unlimited)"}, ${spendPerHr} per hour`;
  const secret = key ? `${key}\nis shown this once; it may do everything in the account\n` : "";
  return `${secret}${id}  ${name}  ${state}  ${money}\n`;
}

const path = (id: string) => `/v1/accounts/${encodeURIComponent(id)}`;
