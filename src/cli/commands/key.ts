// `freehold key`: manages API keys.

import { parseArgs } from "node:util";
import { UsageError } from "../../base/refusal.ts";
import { nearestWord } from "../../base/text/nearest.ts";
import type { Key } from "../../contract/rest-v1/account/key.ts";
import type { Service } from "../client/running-service.ts";
import { ask } from "../client/service-request.ts";
import { serviceFor } from "../context/choose-service.ts";
import { readOptions, serviceOptions, serviceUsage } from "../options.ts";

export const usage = `  freehold key create NAME        create a key and print it, once
  freehold key list
  freehold key disable ID         reject the key until it is enabled
  freehold key enable ID
  freehold key revoke ID          reject the key for good

Options of create; without any of them the key has full access:
  --rest ACCESS     none, read or write: the management interface
  --queue ACCESS    none, read or write: the queues of endpoints
  --graphql ACCESS  none, read or write: GraphQL
  --endpoint ID     only the queue of this endpoint; repeat it for more

  --json            the answer as JSON
${serviceUsage}`;

const access = { type: "string" } as const;
const options = {
  ...serviceOptions,
  rest: access,
  queue: access,
  graphql: access,
  endpoint: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof read>["values"];

const actions: Record<string, (service: Service, word: string, values: Values) => Promise<string>> =
  {
    create,
    list,
    disable: (service, id, values) => change(service, id, { disabled: true }, values),
    enable: (service, id, values) => change(service, id, { disabled: false }, values),
    revoke,
  };

export async function run(args: string[]): Promise<undefined> {
  const { values, positionals } = read(args);
  const [name = "", word = "", ...more] = positionals;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action)
    throw new UsageError(`${unknown(name)}; there are ${Object.keys(actions).join(", ")}`);
  if (more.length > 0 || (word === "") !== (name === "list")) {
    const takes =
      name === "list" ? "nothing more" : name === "create" ? "one name" : "one key's id";
    throw new UsageError(`key ${name} takes ${takes}`);
  }
  process.stdout.write(await action(await serviceFor(values), word, values));
  return undefined;
}

function read(args: string[]) {
  return readOptions("key", options, () => parseArgs({ args, options, allowPositionals: true }));
}

function unknown(name: string): string {
  if (name === "") return "key takes a subcommand";
  const suggestion = nearestWord(name, Object.keys(actions));
  return `key has no subcommand "${name}"${suggestion ? ` (did you mean ${suggestion}?)` : ""}`;
}

async function create(service: Service, name: string, values: Values): Promise<string> {
  const { rest, queue, graphql, endpoint } = values;
  const endpoints = endpoint ? { endpoints: endpoint } : {};
  const permissions = {
    ...(rest && { rest }),
    ...(graphql && { graphql }),
    // A list of endpoints grants access to their queues.
    ...((queue || endpoint) && { queue: queue ?? "write" }),
    ...endpoints,
  };
  const limited = Object.keys(permissions).length > 0;
  const body = { name, ...(limited && { permissions }) };
  const key = (await ask(service, "POST", "/v1/keys", body)) as Key & { key: string };
  if (values.json) return json(key);
  return `${key.key}\n${mayText(key)}; its id is ${key.id}. The key is shown once.\n`;
}

async function list(service: Service, _: string, { json: asJson }: Values): Promise<string> {
  const keys = (await ask(service, "GET", "/v1/keys")) as Key[];
  if (asJson) return json(keys);
  const width = Math.max(...keys.map(({ name }) => name.length));
  return keys
    .map((key) => {
      const state = key.disabled ? "disabled" : "enabled ";
      return `${key.id}  ...${key.hint}  ${state}  ${key.name.padEnd(width)}  ${mayText(key)}\n`;
    })
    .join("");
}

async function change(service: Service, id: string, body: object, values: Values): Promise<string> {
  const key = (await ask(service, "PATCH", path(id), body)) as Key;
  return values.json ? json(key) : `${key.name} is ${key.disabled ? "disabled" : "enabled"}\n`;
}

async function revoke(service: Service, id: string, { json: asJson }: Values): Promise<string> {
  await ask(service, "DELETE", path(id));
  return asJson ? json({ id, revoked: true }) : `${id} is revoked\n`;
}

function mayText({ permissions }: Key): string {
  const { endpoints, ...interfaces } = permissions;
  const all = Object.values(interfaces).every((access) => access === "write");
  if (all && endpoints === null) return "full access";
  const may = Object.entries(interfaces).map(([name, access]) => `${name} ${access}`);
  const only = endpoints ? `, endpoints ${endpoints.join(" ") || "none"}` : "";
  return `may ${may.join(", ")}${only}`;
}

const path = (id: string) => `/v1/keys/${encodeURIComponent(id)}`;
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
