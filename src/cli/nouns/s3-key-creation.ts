// `freehold s3-keys create NAME`: the key's volumes by their names, and its secret as variables of S3 clients.

import type { Command as Program } from "commander";
import { UsageError } from "../../base/refusal.ts";
import { call } from "../client/api.ts";
import { serviceFor } from "../context/choose-service.ts";
import { findVolume } from "../files/location.ts";
import { printJson, write } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { addExamples } from "../program/define-command.ts";
import { assignments, collect, flagsOf } from "../resources/schema-options.ts";

interface Values extends CommonValues {
  access?: string;
  volume?: string[];
  labels?: string[];
}

const ACCESSES = ["read", "write"] as const;

export function addS3KeyCreation(program: Program): void {
  const command = program
    .command("create")
    .description("create an S3 key and print its id and its secret, once")
    .argument("<name>", "the key's name")
    .optionsGroup("What it opens (default: all volumes, to read and write):")
    .option(`--access <${ACCESSES.join("|")}>`, "write includes read")
    .option("--volume <volume>", "only this volume, by its id or name (repeatable)", collect)
    .optionsGroup("Request:")
    .option(`${flagsOf("labels")} <name=value>`, "with this label (repeatable)", collect);
  addExamples(
    command,
    "freehold s3-keys create laptop",
    "freehold s3-keys create ci --access read",
  );
  addCommonOptions(command).action(create);
}

async function create(name: string, values: Values): Promise<void> {
  const access = ACCESSES.find((each) => each === values.access);
  if (values.access !== undefined && !access)
    throw new UsageError(`--access is "${values.access}"; it takes ${ACCESSES.join(" or ")}`);
  const service = await serviceFor(values);
  const volumes = await Promise.all((values.volume ?? []).map((word) => findVolume(service, word)));
  const key = await call(service, "POST /v1/s3-keys", {
    body: {
      name,
      ...(access && { access }),
      ...(volumes.length > 0 && { volumeIds: volumes.map(({ id }) => id) }),
      ...(values.labels && { labels: assignments("--label", values.labels) }),
    },
  });
  if (values.json) return printJson(key);
  const lines = [`AWS_ACCESS_KEY_ID=${key.id}`, `AWS_SECRET_ACCESS_KEY=${key.secret}`];
  write(`${lines.join("\n")}\n`);
  if (values.quiet) return;
  const does = key.access === "write" ? "reads and writes" : "reads";
  const what = key.volumeIds ? `volumes ${key.volumeIds.join(" ")}` : "all volumes";
  write(`It ${does} ${what}. The secret is shown once.\n`);
}
