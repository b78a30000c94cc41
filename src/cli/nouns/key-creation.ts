// `freehold keys create NAME`: the permissions have options of their own, and the key is printed once.

import type { Command as Program } from "commander";
import { UsageError } from "../../base/refusal.ts";
import type { Key } from "../../contract/rest-v1/account/key.ts";
import { call } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printJson, write } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { addExamples } from "../program/define-command.ts";
import { permissionsText } from "../resources/cells.ts";
import { findItem } from "../resources/find-item.ts";
import { bodySchema, type Resource } from "../resources/resource.ts";
import { resources } from "../resources/resource-table.ts";
import { addSchemaOptions, bodyFrom, collect } from "../resources/schema-options.ts";

type Interface = "rest" | "queue" | "graphql";

type Values = CommonValues &
  Record<string, unknown> &
  Partial<Record<Interface, string>> & { endpoint?: string[] };

export async function addKeyCreation(
  program: Program,
  kind: Resource,
  isUsed: boolean,
): Promise<void> {
  const command = program.command("create").description("create an API key and print it, once");
  const schema = isUsed ? await bodySchema(kind, kind.create!) : {};
  command
    .argument("[name]", "the key's name, in place of --name")
    .optionsGroup("Permissions (default: those of the key that creates it):")
    .option("--rest <none|read|write>", "the management interface")
    .option("--queue <none|read|write>", "the queues of endpoints")
    .option("--graphql <none|read|write>", "GraphQL")
    .option(
      "--endpoint <endpoint>",
      "only the queue of this endpoint, by its id or name (repeatable)",
      collect,
    );
  addSchemaOptions(command, schema);
  addExamples(
    command,
    "freehold keys create shop --endpoint hello",
    "freehold keys create ci --rest read --queue write",
  );
  addCommonOptions(command).action(async (name: string | undefined, values: Values) => {
    if (name !== undefined && values.name !== undefined)
      throw new UsageError("keys create takes one name");
    const request = await bodyFrom({ ...values, name: name ?? values.name }, schema);
    if (request.name === undefined) throw new UsageError("keys create takes one name");
    const service = await serviceFor(values);
    const permissions = await permissionsIn(service, values);
    if (permissions && request.permissions !== undefined)
      throw new UsageError("keys create takes permissions in one request or in options, not both");
    const body = { ...request, ...(permissions && { permissions }) } as never;
    print(await call(service, "POST /v1/keys", { body }), values);
  });
}

/** Null if no option grants something; a list of endpoints grants access to their queues. */
async function permissionsIn(
  service: RunningService,
  { rest, queue, graphql, endpoint: words }: Values,
): Promise<object | null> {
  const endpoints: string[] = [];
  for (const word of words ?? [])
    endpoints.push((await findItem(service, resources.endpoints!, word)).id);
  const permissions = {
    ...(rest && { rest }),
    ...(graphql && { graphql }),
    ...((queue || words) && { queue: queue ?? "write" }),
    ...(words && { endpoints }),
  };
  return Object.keys(permissions).length > 0 ? permissions : null;
}

function print(key: Key & { key: string }, values: CommonValues): void {
  if (values.json) printJson(key);
  else if (values.quiet) write(`${key.key}\n`);
  else write(`${key.key}\n${permissionsText(key)}; its id is ${key.id}. The key is shown once.\n`);
}
