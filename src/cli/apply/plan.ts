// What has to be done so that the account has what a file describes.

import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../base/json/is-object.ts";
import { UsageError } from "../../base/refusal.ts";
import { readDockerArgs } from "../../domain/container/docker-args.ts";
import { callRoute } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { listItems } from "../resources/list-items.ts";
import {
  answerSchema,
  bodySchema,
  type Item,
  idParamOf,
  type Resource,
} from "../resources/resource.ts";
import { resources } from "../resources/resource-table.ts";

/** The kinds that a file can describe, in the order in which they need each other. */
const KINDS = [
  "secrets",
  "registries",
  "volumes",
  "templates",
  "endpoints",
  "schedule",
  "pods",
  "budget",
  "notifications",
] as const;

/** The kind whose items a member names by their ids. */
const REFERENCES: Record<string, string> = {
  templateId: "templates",
  endpointId: "endpoints",
  networkVolumeId: "volumes",
  networkVolumeIds: "volumes",
  containerRegistryAuthId: "registries",
};

type Fields = Record<string, unknown> & { name: string };

export interface PlanStep {
  kind: Resource;
  fields: Fields;
  /** The item of this name; null if it is to be created. */
  item: Item | null;
  /** What a change sets. */
  changes: Record<string, unknown>;
  /** What the API does not return and the service compares itself, such as the hardware of a Pod. */
  repeated: Record<string, unknown>;
  /** The environment variables that a change removes. */
  removedVariables: string[];
}

interface Schema {
  properties?: Record<string, { writeOnly?: boolean }>;
  /** The schema of each element of a list. */
  items?: Schema;
}

/** Throws a refusal that names what cannot be done, before anything is. */
export async function planOf(service: RunningService, content: unknown): Promise<PlanStep[]> {
  const lists = readLists(content);
  const items = new Map<string, Item[]>();
  const needed = new Set([...lists.keys(), ...Object.values(REFERENCES)]);
  for (const name of needed) items.set(name, await itemsOf(service, resources[name]!));
  const templates = lists.has("pods") ? await allTemplates(service) : [];
  const steps: PlanStep[] = [];
  for (const [name, all] of lists) {
    const kind = resources[name]!;
    const create: Schema = await bodySchema(kind, kind.create);
    const update: Schema = await bodySchema(kind, kind.update);
    const view: Schema = await viewSchema(kind);
    const names = all.map(({ name }) => name);
    const twice = names.find((each, n) => names.indexOf(each) !== n);
    if (twice) throw new UsageError(`${name}: two are named "${twice}"`);
    for (const fields of all) {
      const place = `${name}: "${fields.name}"`;
      const unknown = Object.keys(fields).find((member) => !create.properties?.[member]);
      if (unknown) throw new UsageError(`${place} has an unknown member "${unknown}"`);
      const listed = itemNamed(items.get(name)!, fields.name, place);
      if (listed === null) {
        steps.push({ kind, fields, item: null, changes: {}, repeated: {}, removedVariables: [] });
        continue;
      }
      const item = await readItem(service, kind, listed);
      const removed = removedVariables(item, fields.env, templates);
      const differences = changesOf({ item, fields, items, update, view, place });
      if (removed.length > 0) differences.changes.env = fields.env;
      // A change that names the template keeps what the Pod takes from it.
      if (fields.templateId && (differences.changes.env || differences.changes.ports))
        differences.repeated.templateId = fields.templateId;
      steps.push({ kind, fields, item, ...differences, removedVariables: removed });
    }
  }
  return steps;
}

/** The items that a file lists, by kind. */
function readLists(content: unknown): Map<string, Fields[]> {
  const choices = KINDS.join(", ");
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw new UsageError(`the file takes lists by kind of resource: ${choices}`);
  const lists = content as Record<string, unknown>;
  const unknown = Object.keys(lists).find((name) => !(KINDS as readonly string[]).includes(name));
  if (unknown) throw new UsageError(`there is no kind "${unknown}"; the kinds are ${choices}`);
  return new Map(
    KINDS.filter((name) => lists[name] !== undefined).map((name) => {
      const list = lists[name];
      if (!Array.isArray(list)) throw new UsageError(`${name} takes a list`);
      list.forEach((fields, n) => {
        if (typeof fields?.name !== "string" || fields.name === "")
          throw new UsageError(`${name}: item ${n + 1} has no name`);
      });
      return [name, list as Fields[]];
    }),
  );
}

const itemsOf = (service: RunningService, kind: Resource) => listItems(service, kind, kind.findIn);

/** Those that a Pod may have been created from, the official ones too. */
const allTemplates = (service: RunningService) =>
  listItems(service, resources.templates!, {
    includeEndpointBoundTemplates: true,
    includePublicTemplates: true,
    includeRunpodTemplates: true,
  });

function itemNamed(items: Item[], name: string, place: string): Item | null {
  const [item = null, ...more] = items.filter((each) => each.name === name);
  if (more.length === 0) return item;
  throw new UsageError(`${place}: ${more.length + 1} have this name, so it is not clear which`);
}

/** A list may leave out what the item itself has, such as the input of a schedule. */
async function readItem(service: RunningService, { get }: Resource, item: Item): Promise<Item> {
  if (!get) return item;
  return (await callRoute(service, get, { params: { [idParamOf(get)]: item.id } })) as Item;
}

async function viewSchema(kind: Resource): Promise<Schema> {
  const view: Schema = await answerSchema(kind, kind.get ?? kind.list);
  return view.items ?? view;
}

interface Comparison {
  item: Item;
  fields: Fields;
  items: Map<string, Item[]>;
  update: Schema;
  view: Schema;
  place: string;
}

/**
 * A secret is set again. What cannot be compared, such as the hardware of a Pod, is sent again if the service can
 * compare it, and left alone otherwise, as the password of a registry is.
 */
function changesOf({ item, fields, items, update, view, place }: Comparison) {
  const changes: Record<string, unknown> = {};
  const repeated: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(fields)) {
    const change = update.properties?.[member];
    if (change?.writeOnly) {
      changes[member] = value;
    } else if (member === "dockerArgs") {
      if (!hasCommand(item, value)) changes[member] = value;
    } else if (view.properties && !view.properties[member]) {
      if (change) repeated[member] = value;
    } else if (!isUnchanged(member, item[member], idOf(member, value, items))) {
      if (!change) {
        throw new UsageError(`${place}: ${member} cannot change; delete it first, or leave it`);
      }
      changes[member] = value;
    }
  }
  return { changes, repeated };
}

/** The ids of what a member names; of something that the file creates, its name. */
function idOf(member: string, value: unknown, items: Map<string, Item[]>): unknown {
  const kind = REFERENCES[member];
  if (kind === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => idOf(member, each, items));
  return items.get(kind)!.find(({ name }) => name === value)?.id ?? value;
}

/** The variables that an item has and its `env` in the file leaves out. A Pod keeps those of its template. */
function removedVariables(item: Item, env: unknown, templates: Item[]): string[] {
  if (!isObject(env) || !isObject(item.env)) return [];
  const template = templates.find(({ id }) => id === item.templateId);
  const inherited = isObject(template?.env) ? { ...template.env } : {};
  const isKept = (name: string) => name in inherited || (template && name === TEMPLATE_PASSWORD);
  return Object.keys(item.env).filter((name) => !(name in env || isKept(name)));
}

/** The variable that a template which starts Jupyter fills in, and that a Pod from it keeps. */
const TEMPLATE_PASSWORD = "JUPYTER_PASSWORD";

/** Whether a Pod has the command of `dockerArgs`, which the API returns as two lists. */
const hasCommand = (pod: Item, dockerArgs: unknown): boolean =>
  dockerArgs === "" || (typeof dockerArgs === "string" && holds(pod, readDockerArgs(dockerArgs)));

/** Labels are replaced as a whole, and absent without any. */
const isUnchanged = (member: string, actual: unknown, expected: unknown): boolean =>
  member === "labels" ? isDeepStrictEqual(actual ?? {}, expected) : holds(actual, expected);

/** An object holds another if it has all its members; a service may add members of its own. */
function holds(actual: unknown, expected: unknown): boolean {
  if (!isObject(actual) || !isObject(expected)) return isDeepStrictEqual(actual, expected);
  return Object.entries(expected).every(([name, value]) => holds(actual[name], value));
}

/** The fields with ids in place of names, once everything before them is there. */
export async function withIds(
  service: RunningService,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const items = new Map<string, Item[]>();
  for (const member of Object.keys(fields)) {
    const kind = REFERENCES[member];
    if (kind && !items.has(kind)) items.set(kind, await itemsOf(service, resources[kind]!));
  }
  return Object.fromEntries(
    Object.entries(fields).map(([member, value]) => [member, idOf(member, value, items)]),
  );
}
