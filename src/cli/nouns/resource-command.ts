// The command of a kind of resource: list, get, create, update, delete and what else the resource table
// names.

import type { Command as Program } from "commander";
import { UsageError } from "../../base/refusal.ts";
import { callRoute } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import type { Command } from "../command.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printList, printOne, reportNone, write } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { defineCommand } from "../program/define-command.ts";
import { arranged } from "../resources/arranged.ts";
import { findItem } from "../resources/find-item.ts";
import { listItems } from "../resources/list-items.ts";
import { withOwners } from "../resources/owner-column.ts";
import {
  bodySchema,
  type Item,
  idHelp,
  idParamOf,
  pluralOf,
  type Resource,
  wordFor,
} from "../resources/resource.ts";
import { resources } from "../resources/resource-table.ts";
import {
  addSchemaOptions,
  bodyFrom,
  camel,
  collect,
  flagsOf,
  kebab,
  requireMembers,
} from "../resources/schema-options.ts";
import { addAction } from "./resource-action.ts";

type Values = CommonValues & Record<string, unknown>;

/** Subcommands that no route alone describes, by the name of the noun. */
const nounCommands: Record<string, (program: Program) => Promise<void>> = {
  account: async (program) => (await import("./account-actions.ts")).addAccountActions(program),
  batch: async (program) => (await import("../jobs/batch.ts")).addBatchCommands(program),
  gpus: async (program) => (await import("./gpu-devices.ts")).addGpuDevices(program),
  jobs: async (program) => (await import("../jobs/export-jobs.ts")).addJobExport(program),
  machine: async (program) => (await import("./machine-actions.ts")).addMachineActions(program),
  members: async (program) => {
    (await import("./member-removal.ts")).addMemberRemoval(program);
    (await import("./password-reset.ts")).addPasswordReset(program);
  },
  reservations: async (program) =>
    (await import("./reservation-feed.ts")).addReservationFeed(program),
  sandboxes: async (program) => (await import("./sandbox-exec.ts")).addSandboxExec(program),
};

/** In place of what the schema of the request alone describes. */
const ownCreations: Record<string, typeof addCreate> = {
  account: async (program) => (await import("./account-actions.ts")).addAccountCreation(program),
  keys: async (...args) => (await import("./key-creation.ts")).addKeyCreation(...args),
  "s3-keys": async (program) => (await import("./s3-key-creation.ts")).addS3KeyCreation(program),
};

export function resourceCommand(name: string): Command {
  const command = defineCommand(name, (program, words) => build(program, name, words[0]));
  const isSubcommand = (word: string | undefined) => word !== undefined && !word.startsWith("-");
  // Without a subcommand it lists.
  return {
    ...command,
    run: (args) => command.run(isSubcommand(args[0]) ? args : ["list", ...args]),
  };
}

async function build(program: Program, noun: string, word: string | undefined): Promise<void> {
  const kind = resources[noun]!;
  const { get, create, update, remove, actions = {} } = kind;
  addList(program, kind);
  if (get) addGet(program, kind);
  const isCreated = word === "create";
  if (create) await (ownCreations[noun] ?? addCreate)(program, kind, isCreated);
  if (update) await addUpdate(program, kind, word === "update");
  for (const [name, action] of Object.entries(actions)) {
    await addAction(program.command(name).description(action.about), kind, action);
  }
  await nounCommands[noun]?.(program);
  if (remove) {
    const about = `delete ${pluralOf(kind)}`;
    const action = { route: remove, about, done: "is deleted" };
    const command = program.command("delete").description(about);
    if (kind.deleteAlias) command.alias(kind.deleteAlias);
    await addAction(command, kind, action);
  }
}

function addList(program: Program, kind: Resource): void {
  const list = program.command("list").description(`list ${pluralOf(kind)}; the default`);
  if (kind.parent) list.argument("[endpoint]", "an id or a name (default: every endpoint)");
  list.optionsGroup("Only some:");
  for (const [name, about] of Object.entries(kind.filters ?? {})) {
    if (name === "labels") list.option(`${flagsOf(name)} <name=value>`, about, collect);
    else list.option(`--${kebab(name)}${filterValue(name)}`, about);
  }
  if (kind.filters?.createdBy) list.option("--mine", "only your own");
  if (kind.alsoListed) list.option("--own", "only those of this account");
  list.option("--sort <member>", "by this member of the JSON; -member for the largest first");
  if (!kind.filters?.limit) list.option("--limit <count>", "at most so many");
  addCommonOptions(list).action(async (...words: unknown[]) => {
    const parent = kind.parent ? (words[0] as string | undefined) : undefined;
    const values = words[kind.parent ? 1 : 0] as Values;
    const service = await serviceFor(values);
    const rows = await itemsOf(service, kind, parent, filtersIn(kind, values));
    printList(arranged(rows, values), withOwners(kind, rows), ({ id }: Item) => id, values);
    if (!values.json && !values.quiet) write(kind.footer?.(rows as never[]) ?? "");
    reportNone(rows, pluralOf(kind), values);
  });
}

const FILTER_VALUES: [name: RegExp, value: string][] = [
  [/^include/, ""],
  [/^(?:limit|ended)$/, " <count>"],
  [/^(?:since|from|until)$|^finished|Time$/, " <time>"],
  [/Id$|^before$/, " <id>"],
  [/^createdBy$/, " <member>"],
];

/** The placeholder of a filter's value. */
const filterValue = (name: string) =>
  FILTER_VALUES.find(([pattern]) => pattern.test(name))?.[1] ?? " <text>";

function filtersIn(kind: Resource, values: Values): Record<string, unknown> {
  const { filters = {}, alsoListed = {} } = kind;
  const pairs = Object.keys(filters).map((name) => [name, values[camel(kebab(name))]]);
  return {
    ...(values.own !== true && alsoListed),
    ...Object.fromEntries(pairs),
    ...(values.mine === true && { createdBy: "me" }),
  };
}

async function itemsOf(
  service: RunningService,
  kind: Resource,
  parentWord: string | undefined,
  query: Record<string, unknown>,
): Promise<Item[]> {
  if (kind.parent) {
    const parents = resources[kind.parent]!;
    const named = parentWord ? [await findItem(service, parents, parentWord)] : undefined;
    return listItems(service, kind, query, named);
  }
  // Filters by an endpoint take its name too.
  const named = query.endpointId;
  const endpointId = named ? await endpointIdOf(service, String(named)) : undefined;
  return listItems(service, kind, { ...query, endpointId });
}

const endpointIdOf = async (service: RunningService, word: string) =>
  (await findItem(service, resources.endpoints!, word)).id;

function addGet(program: Program, kind: Resource): void {
  const command = program.command("get").description(`print all of one ${kind.noun}`);
  addCommonOptions(command.argument(`<${wordFor(kind)}>`, idHelp(kind))).action(
    async (word: string, values: Values) => {
      const item = await findItem(await serviceFor(values), kind, word);
      await printOne(item, item.id, values);
    },
  );
}

async function addCreate(program: Program, kind: Resource, isUsed: boolean): Promise<void> {
  const command = program.command("create").description(`create one ${kind.noun}`);
  const schema = isUsed ? await bodySchema(kind, kind.create!) : {};
  addSchemaOptions(command, schema);
  addCommonOptions(command).action(async (values: Values) => {
    const body = await bodyFrom(values, schema);
    requireMembers(body, schema, `${program.name().replace("freehold ", "")} create`);
    const service = await serviceFor(values);
    const item = (await callRoute(service, kind.create!, { body })) as Item;
    await printOne(item, String(item[kind.shownOnce ?? "id"]), values);
  });
}

async function addUpdate(program: Program, kind: Resource, isUsed: boolean): Promise<void> {
  const command = program.command("update").description(`change one ${kind.noun}`);
  const schema = isUsed ? await bodySchema(kind, kind.update!) : {};
  addSchemaOptions(command.argument(`<${wordFor(kind)}>`, idHelp(kind)), schema);
  addCommonOptions(command).action(async (word: string, values: Values) => {
    const service = await serviceFor(values);
    const body = await bodyFrom(values, schema);
    if (Object.keys(body).length === 0)
      throw new UsageError("update needs an option that changes something");
    const { id } = await findItem(service, kind, word);
    const params = { [idParamOf(kind.update!)]: id };
    await printOne(await callRoute(service, kind.update!, { params, body }), id, values);
  });
}
