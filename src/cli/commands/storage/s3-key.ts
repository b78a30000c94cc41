// `freehold s3-key`: manages S3 keys.

import { parseArgs } from "node:util";
import type { S3Key } from "../../../contract/rest-v1/storage/s3-key.ts";
import type { RunningService } from "../../client/running-service.ts";
import { ask } from "../../client/service-request.ts";
import { findVolume } from "../../files/location.ts";
import { readOptions, serviceOptions, serviceUsage } from "../../options.ts";
import { timeText } from "../../output/time-text.ts";
import { runSubcommand, type Subcommand } from "../../program/subcommands.ts";

export const usage = `  freehold s3-key create NAME     create a key and print its id and its secret, once
  freehold s3-key list
  freehold s3-key delete ID       refuse the key from now on

Options of create; without any of them the key reads and writes all volumes:
  --access ACCESS   read or write
  --volume VOLUME   only this volume, by its id or its name; repeat it for more

  --json            the answer as JSON
${serviceUsage}`;

const options = {
  ...serviceOptions,
  access: { type: "string" },
  volume: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof read>["values"];

const subcommands: Record<string, Subcommand<Values>> = {
  create: { takes: "one name", run: create },
  list: { takes: null, run: list },
  delete: { takes: "one key's id", run: remove },
};

export function run(args: string[]): Promise<undefined> {
  return runSubcommand("s3-key", subcommands, read(args));
}

function read(args: string[]) {
  return readOptions("s3-key", options, () => parseArgs({ args, options, allowPositionals: true }));
}

async function create(service: RunningService, name: string, values: Values): Promise<string> {
  const { access, volume } = values;
  const found = volume && (await Promise.all(volume.map((word) => findVolume(service, word))));
  const volumeIds = found && { volumeIds: found.map(({ id }) => id) };
  const body = { name, ...(access && { access }), ...volumeIds };
  const key = (await ask(service, "POST", "/v1/s3-keys", body)) as S3Key & { secret: string };
  if (values.json) return json(key);
  const lines = [`AWS_ACCESS_KEY_ID=${key.id}`, `AWS_SECRET_ACCESS_KEY=${key.secret}`];
  return `${lines.join("\n")}\nIt ${mayText(key)}. The secret is shown once.\n`;
}

async function list(service: RunningService, _: string, { json: asJson }: Values): Promise<string> {
  const keys = (await ask(service, "GET", "/v1/s3-keys")) as S3Key[];
  if (asJson) return json(keys);
  const width = Math.max(0, ...keys.map(({ name }) => name.length));
  return keys
    .map((key) => {
      const used = key.lastUsedAt ? `last used ${timeText(key.lastUsedAt)}` : "never used";
      return `${key.id}  ${key.name.padEnd(width)}  ${mayText(key)}; ${used}\n`;
    })
    .join("");
}

async function remove(
  service: RunningService,
  id: string,
  { json: asJson }: Values,
): Promise<string> {
  await ask(service, "DELETE", `/v1/s3-keys/${encodeURIComponent(id)}`);
  return asJson ? json({ id, deleted: true }) : `${id} is deleted\n`;
}

function mayText({ access, volumeIds }: S3Key): string {
  const does = access === "write" ? "reads and writes" : "reads";
  return `${does} ${volumeIds ? `volumes ${volumeIds.join(" ")}` : "all volumes"}`;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
