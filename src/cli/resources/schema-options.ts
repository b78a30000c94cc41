// The options of `create` and `update`: one for each member of the request's schema, described by it, and
// --body for the whole request.

import type { Command as Program } from "commander";
import { Option } from "commander";
import { parseJson } from "../../base/json/parse.ts";
import { UsageError } from "../../base/refusal.ts";
import { jsonArgument, standardInput } from "../program/json-argument.ts";

/** The parts of a JSON Schema that decide how an option is read. */
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  description?: string;
  /** The accepted values in words. */
  "x-takes"?: string;
  writeOnly?: boolean;
}

export function addSchemaOptions(program: Program, schema: object): void {
  const { properties = {}, required = [] } = schema as Schema;
  program.optionsGroup("Request:");
  for (const [name, member] of membersOf(properties)) {
    const flags = flagsOf(name, properties);
    const text = optionText(member, required.includes(name));
    const option = new Option(`${flags} ${placeholder(member)}`, text);
    if (isRepeated(member)) option.argParser(collect);
    if (WITHOUT_EFFECT.test(text)) option.hideHelp();
    program.addOption(option);
  }
  program.option(
    "--body <json>",
    "the whole request; @file reads it from a file, - from the standard input",
  );
}

/** The request that the options describe. */
export async function bodyFrom(
  values: Record<string, unknown>,
  schema: object,
): Promise<Record<string, unknown>> {
  const { properties = {} } = schema as Schema;
  const body = typeof values.body === "string" ? await objectIn(values.body) : {};
  for (const [name, member] of membersOf(properties)) {
    const value = values[camel(kebab(name))];
    if (value === undefined) continue;
    body[name] =
      member.writeOnly && value === "-"
        ? (await standardInput()).replace(/\r?\n$/, "")
        : valueFor(`--${kebab(name)}`, value as string | true | string[], member);
  }
  return body;
}

/** Throws a UsageError that names the options of the members that the request lacks. */
export function requireMembers(
  body: Record<string, unknown>,
  schema: object,
  command: string,
): void {
  const { required = [] } = schema as Schema;
  const options = required
    .filter((name) => body[name] === undefined)
    .map((name) => `--${kebab(name)}`);
  if (options.length === 0) return;
  const names = new Intl.ListFormat("en-GB").format(options);
  throw new UsageError(`${command} needs ${names}; \`freehold help ${command}\` shows the usage`);
}

/** Members with an option of their own: a second spelling, such as minRamPerGpu of minRAMPerGPU, has none. */
function membersOf(properties: Record<string, Schema>): [name: string, member: Schema][] {
  const byOption = new Map<string, [string, Schema]>();
  for (const [name, member] of Object.entries(properties)) {
    if (!byOption.has(kebab(name))) byOption.set(kebab(name), [name, member]);
  }
  return [...byOption.values()];
}

async function objectIn(text: string): Promise<Record<string, unknown>> {
  const value = JSON.parse(await jsonArgument("--body", text));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new UsageError("--body takes a JSON object");
}

function valueFor(flag: string, value: string | true | string[], schema: Schema): unknown {
  if (value === true) return true;
  if (Array.isArray(value)) {
    if (schema.type === "array") return value.flatMap((each) => elementsOf(flag, each));
    return assignments(flag, value);
  }
  if (schema.type === "boolean") {
    if (value === "true" || value === "false") return value === "true";
    throw new UsageError(`${flag} is "${value}"; it takes true or false`);
  }
  if (schema.type === "integer" || schema.type === "number") {
    const number = Number(value);
    if (value.trim() !== "" && Number.isFinite(number)) return number;
    throw new UsageError(`${flag} is "${value}"; it takes a number`);
  }
  const isNull = value === "null" && schema.type !== "string";
  return takesText(schema) && !isNull ? value : parsed(flag, value);
}

/** Also if null is another choice. */
function takesText({ type, enum: values, const: value, anyOf = [] }: Schema): boolean {
  return type === "string" || Boolean(values) || typeof value === "string" || anyOf.some(takesText);
}

/** A text is one element; a JSON array is as many as it has. */
function elementsOf(flag: string, text: string): unknown[] {
  return text.startsWith("[") ? (parsed(flag, text) as unknown[]) : [text];
}

/** The object that a repeated option NAME=VALUE describes. */
export const assignments = (flag: string, texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(texts.map((each) => assignment(flag, each)));

function assignment(flag: string, text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`${flag} is "${text}"; it takes NAME=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function parsed(flag: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new UsageError(`${flag} takes JSON: ${(error as Error).message}`);
  }
}

/** Members that a request may have for the sake of its client. */
const WITHOUT_EFFECT = /^(?:Not offered yet|Accepted for compatibility)/;

function optionText(member: Schema, isRequired: boolean): string {
  const [first = ""] = helpOf(member).split(". ");
  const notes = [
    ...(isRequired ? ["(required)"] : []),
    ...(isRepeated(member) ? ["(repeatable)"] : []),
  ];
  return [first.replace(/\.$/, ""), ...notes].join(" ");
}

/** What the option sets; of a choice with null, what the other choice is. */
function helpOf({ description, anyOf = [], "x-takes": takes = "" }: Schema): string {
  return description ?? anyOf.find((each) => each.description)?.description ?? takes;
}

function placeholder({ anyOf, ...own }: Schema): string {
  const schema = anyOf?.find(({ type }) => type !== "null") ?? own;
  const [type] = [schema.type].flat();
  if (type === "boolean") return "[true|false]";
  if (type === "integer" || type === "number") return "<number>";
  if (schema.enum) return `<${schema.enum.join("|")}>`;
  if (schema.type === "array") return "<value>";
  if (isAssignments(schema)) return "<name=value>";
  return type === "object" ? "<json>" : "<text>";
}

const isAssignments = ({ type, additionalProperties }: Schema) =>
  type === "object" && typeof additionalProperties === "object";
const isRepeated = (schema: Schema) => schema.type === "array" || isAssignments(schema);

/** A repeated option is also spelled for one of its values, unless that is the name of another member. */
export const flagsOf = (name: string, members: object = {}) =>
  name === "labels" && !("label" in members) ? "--label, --labels" : `--${kebab(name)}`;

export const collect = (value: string, before: unknown) => [...((before as string[]) ?? []), value];

/** gpuTypeIds as an option: gpu-type-ids. Capitals in a row are a word: minRAMPerGPU is min-ram-per-gpu. */
export const kebab = (name: string) =>
  name
    .replace("MBps", "Mbps")
    .replace(/[A-Z]+(?![a-z])|[A-Z]/g, (capitals) => `-${capitals.toLowerCase()}`);
/** An option as commander names its value, which may differ from the member: vcpuCount, supportPublicIp. */
export const camel = (name: string) => name.replace(/-(\w)/g, (_, first) => first.toUpperCase());
