// `freehold key`: manages API keys.

import { parseArgs } from "node:util";
import type { Key } from "../../contract/rest-v1/account/key.ts";
import type { RunningService } from "../client/running-service.ts";
import { ask } from "../client/service-request.ts";
import { readOptions, serviceOptions, serviceUsage } from "../options.ts";
import { runSubcommand, type Subcommand } from "../program/subcommands.ts";
import { assignments } from "../resources/schema-options.ts";

export const usage = `  freehold key create NAME        create a key and print it, once
  freehold key list
  freehold key disable ID         reject the key until it is enabled
  freehold key enable ID
  freehold key revoke ID          reject the key for good

Permissions of create; without any of them the key has full access:
  --rest ACCESS     none, read or write: the management interface
  --queue ACCESS    none, read or write: the queues of endpoints
  --graphql ACCESS  none, read or write: GraphQL
  --endpoint ID     only the queue of this endpoint; repeat it for more

Other options:
  --label NAME=VALUE  a label of the key to create; repeat it for more
  --json              the answer as JSON
${serviceUsage}`;

const access = { type: "string" } as const;
const options = {
  ...serviceOptions,
  rest: access,
  queue: access,
  graphql: access,
  endpoint: { type: "string", multiple: true },
  label: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof read>["values"];

const ID = "one key's id";

const subcommands: Record<string, Subcommand<Values>> = {
  create: { takes: "one name", run: create },
  list: { takes: null, run: list },
  disable: {
    takes: ID,
    run: (service, id, values) => change(service, id, { disabled: true }, values),
  },
  enable: {
    takes: ID,
    run: (service, id, values) => change(service, id, { disabled: false }, values),
  },
  revoke: { takes: ID, run: revoke },
};

export function run(args: string[]): Promise<undefined> {
  return runSubcommand("key", subcommands, read(args));
}

function read(args: string[]) {
  return readOptions("key", options, () => parseArgs({ args, options, allowPositionals: true }));
}

async function create(service: RunningService, name: string, values: Values): Promise<string> {
  const { rest, queue, graphql, endpoint, label } = values;
  const endpoints = endpoint ? { endpoints: endpoint } : {};
  const permissions = {
    ...(rest && { rest }),
    ...(graphql && { graphql }),
    // A list of endpoints grants access to their queues.
    ...((queue || endpoint) && { queue: queue ?? "write" }),
    ...endpoints,
  };
  const limited = Object.keys(permissions).length > 0;
  const labels = label && { labels: assignments("--label", label) };
  const body = { name, ...labels, ...(limited && { permissions }) };
  const key = (await ask(service, "POST", "/v1/keys", body)) as Key & { key: string };
  if (values.json) return json(key);
  return `${key.key}\n${mayText(key)}; its id is ${key.id}. The key is shown once.\n`;
}

async function list(service: RunningService, _: string, { json: asJson }: Values): Promise<string> {
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

async function change(
  service: RunningService,
  id: string,
  body: object,
  values: Values,
): Promise<string> {
  const key = (await ask(service, "PATCH", path(id), body)) as Key;
  return values.json ? json(key) : `${key.name} is ${key.disabled ? "disabled" : "enabled"}\n`;
}

async function revoke(
  service: RunningService,
  id: string,
  { json: asJson }: Values,
): Promise<string> {
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
