// The schema that is executed: the text of the contract with what answers each of its fields. A root
// that nothing answers, and a resolver that no field has, do not start.

import {
  buildSchema,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  isScalarType,
} from "graphql";
import { schemaText } from "../../contract/graphql/text.ts";
import { Fault } from "../../domain/fault.ts";
import { doing, tellRefused } from "../../flows/audit/act.ts";
import { accountFields } from "./account.ts";
import { apiKeyFields } from "./api-keys.ts";
import { catalogFields } from "./catalog.ts";
import { accountFor, type Context } from "./context.ts";
import { endpointFields } from "./endpoints.ts";
import type { Fields } from "./fields.ts";
import { machineFields } from "./machines.ts";
import { networkVolumeFields } from "./network-volumes.ts";
import { notOfferedFields } from "./not-offered.ts";
import { podFields } from "./pods.ts";
import { WordedFault } from "./refusals.ts";
import { registryAuthFields } from "./registry-auths.ts";
import { savingsPlanFields } from "./savings-plans.ts";
import { scalars } from "./scalars.ts";
import { secretFields } from "./secrets.ts";
import { sshKeyFields } from "./ssh-keys.ts";
import { namedIn } from "./subjects.ts";
import { templateFields } from "./templates.ts";

/** Roots that are answered without a key, whoever asks. */
export const openRoots = new Set([
  "myself",
  "gpuTypes",
  "cpuTypes",
  "cpuFlavors",
  "dataCenters",
  "countryCodes",
  "serverlessGpuPools",
  "listings",
  "listing",
  "listingFromRepo",
  "allAiApiPublicConfigs",
  "createFlashAuthRequest",
  "flashAuthRequestStatus",
]);

const nouns: Fields[] = [
  accountFields,
  apiKeyFields,
  podFields,
  endpointFields,
  templateFields,
  catalogFields,
  machineFields,
  networkVolumeFields,
  registryAuthFields,
  savingsPlanFields,
  secretFields,
  sshKeyFields,
  notOfferedFields,
];

let made: GraphQLSchema | null = null;

/** Built when it is first asked for: most of what starts the service asks for none. */
export const executableSchema = (): GraphQLSchema => (made ??= build());

function build(): GraphQLSchema {
  const schema = buildSchema(schemaText);
  for (const [name, scalar] of Object.entries(scalars)) {
    const type = schema.getType(name);
    if (isScalarType(type)) Object.assign(type, scalar);
  }
  for (const fields of nouns) attach(schema, fields);
  for (const root of ["Query", "Mutation"]) guard(schema, root);
  return schema;
}

/** What every role may: the rest is about resources. */
const ownRoots = new Set(["machines", "apiKeyCreate", "apiKeyUpdate", "apiKeyRevoke"]);

type Resolve = GraphQLFieldResolver<unknown, Context>;

/** Every change is an act that the audit log tells of, refused ones too. */
function told(root: string, change: Resolve): Resolve {
  return async (source, args, context, info) => {
    const asked = context.asks(root, namedIn(args));
    if (!asked) return change(source, args, context, info);
    try {
      return await doing(asked, async () => change(source, args, context, info));
    } catch (error) {
      if (error instanceof Fault || error instanceof WordedFault) {
        await tellRefused(context.deps, asked, error);
      }
      throw error;
    }
  };
}

const ownPodRoots = new Set(["pod", "podStop", "podTerminate"]);

function mustBeItself(podId: string, root: string, args: { input?: { podId?: string } | null }) {
  if (ownPodRoots.has(root) && args.input?.podId === podId) return;
  const detail = "A Pod's own key reads, stops and deletes its Pod, and opens nothing else.";
  throw new Fault("forbidden", { detail });
}

function attach(schema: GraphQLSchema, fields: Fields): void {
  for (const [typeName, resolvers] of Object.entries(fields)) {
    const type = schema.getType(typeName);
    for (const [name, resolve] of Object.entries(resolvers)) {
      const field = isObjectType(type) ? type.getFields()[name] : undefined;
      if (!field) throw new Error(`the schema has no field ${typeName}.${name}`);
      field.resolve = resolve as GraphQLFieldResolver<unknown, Context>;
    }
  }
}

/** Nobody comes to a root without the permission that it needs. */
function guard(schema: GraphQLSchema, root: string): void {
  const type = schema.getType(root);
  const access = root === "Query" ? "read" : "write";
  for (const [name, field] of Object.entries(isObjectType(type) ? type.getFields() : {})) {
    const { resolve } = field;
    if (!resolve) throw new Error(`nothing answers ${root}.${name}`);
    const open = openRoots.has(name);
    const answer: Resolve = (source, args, context, info) => {
      if (context.ownPod && (!open || name === "myself"))
        mustBeItself(context.ownPod.id, name, args);
      if (!open) accountFor(context, access, ownRoots.has(name) ? "own" : "resources");
      return resolve(source, args, context, info);
    };
    field.resolve = access === "read" || open ? answer : told(name, answer);
  }
}
