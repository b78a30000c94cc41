// The executable schema: the contract's SDL with a resolver on each field. Building it fails for a root
// field without a resolver and for a resolver without a field.

import {
  buildSchema,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  isScalarType,
} from "graphql";
import { schemaText } from "../../../contract/graphql/text.ts";
import { Fault } from "../../../domain/fault.ts";
import { recordRefusal, runAudited } from "../../../flows/audit/action.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { accountResolvers } from "../account/account.ts";
import { apiKeyResolvers } from "../account/api-keys.ts";
import { savingsPlanResolvers } from "../account/savings-plans.ts";
import { clusterResolvers } from "../cluster/clusters.ts";
import { endpointResolvers } from "../endpoint/endpoints.ts";
import { flashAppResolvers } from "../flash/flash-apps.ts";
import { flashBuildResolvers } from "../flash/flash-builds.ts";
import { flashLoginResolvers } from "../flash/flash-login.ts";
import { catalogResolvers } from "../machine/catalog.ts";
import { machineResolvers } from "../machine/machines.ts";
import { notOfferedResolvers } from "../not-offered.ts";
import { podResolvers } from "../pod/pods.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { resourceIdOf } from "../schema/audit-subjects.ts";
import { accountFor, type GraphqlContext } from "../schema/context.ts";
import { WordedFault } from "../schema/graphql-error.ts";
import { type OwnershipDeps, requireOwnArguments } from "../schema/own-fields.ts";
import { scalars } from "../schema/scalars.ts";
import { inSentNames } from "../schema/sent-names.ts";
import { registryAuthResolvers } from "../secret/registry-auths.ts";
import { secretResolvers } from "../secret/secrets.ts";
import { sshKeyResolvers } from "../secret/ssh-keys.ts";
import { networkVolumeResolvers } from "../storage/network-volumes.ts";
import { templateResolvers } from "../template/templates.ts";

/** Root fields that are answered without a key. */
const publicRoots = new Set([
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

const resolverGroups = [
  accountResolvers,
  apiKeyResolvers,
  podResolvers,
  clusterResolvers,
  endpointResolvers,
  templateResolvers,
  catalogResolvers,
  machineResolvers,
  networkVolumeResolvers,
  registryAuthResolvers,
  savingsPlanResolvers,
  secretResolvers,
  sshKeyResolvers,
  flashAppResolvers,
  flashBuildResolvers,
  flashLoginResolvers,
  notOfferedResolvers,
] as const;

/** What the groups and the checks around their fields need. */
export type ResolverDeps = DepsOf<(typeof resolverGroups)[number]> & OwnershipDeps & FlowDeps;

type DepsOf<Group> = [Group] extends [Resolvers<GraphqlContext<infer Deps>>] ? Deps : never;

let builtSchema: GraphQLSchema | null = null;

/** Built with the first request: most services get none. */
export const executableSchema = (): GraphQLSchema => (builtSchema ??= build());

function build(): GraphQLSchema {
  const schema = buildSchema(schemaText);
  for (const [name, scalar] of Object.entries(scalars)) {
    const type = schema.getType(name);
    if (isScalarType(type)) Object.assign(type, scalar);
  }
  for (const group of resolverGroups) attach(schema, group);
  for (const root of ["Query", "Mutation"]) requirePermissions(schema, root);
  requireOwnFields(schema, "User");
  return schema;
}

/** Wraps the fields of a type with the check of roles that see only their own. */
function requireOwnFields(schema: GraphQLSchema, typeName: string): void {
  const type = schema.getType(typeName);
  for (const [name, field] of Object.entries(isObjectType(type) ? type.getFields() : {})) {
    if (field.resolve) field.resolve = ofOwn(`${typeName}.${name}`, field.resolve);
  }
}

function ofOwn(field: string, resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    const check = requireOwnArguments(context, field, args);
    const go = () => resolve(source, args, context, info);
    return check ? check.then(go) : go();
  };
}

/** Root fields that every role may use. */
const selfRoots = new Set(["machines", "apiKeyCreate", "apiKeyUpdate", "apiKeyRevoke"]);

type Resolve = GraphQLFieldResolver<unknown, GraphqlContext<ResolverDeps>>;

/** Records every mutation in the audit log, refused ones included. */
function audited(root: string, change: Resolve): Resolve {
  return async (source, args, context, info) => {
    const act = context.act(root, resourceIdOf(args));
    if (!act) return change(source, args, context, info);
    try {
      return await runAudited(act, async () => change(source, args, context, info));
    } catch (error) {
      if (error instanceof Fault || error instanceof WordedFault) {
        await recordRefusal(context.deps, act, error);
      }
      throw error;
    }
  };
}

const ownPodRoots = new Set(["pod", "podStop", "podTerminate"]);

function requireOwnPod(podId: string, root: string, args: { input?: { podId?: string } | null }) {
  if (ownPodRoots.has(root) && args.input?.podId === podId) return;
  const detail = "A Pod's own key reads, stops and deletes its Pod, and opens nothing else.";
  throw new Fault("forbidden", { detail });
}

function attach(schema: GraphQLSchema, group: (typeof resolverGroups)[number]): void {
  for (const [typeName, resolvers] of Object.entries(group)) {
    const type = schema.getType(typeName);
    for (const [name, resolve] of Object.entries(resolvers)) {
      const field = isObjectType(type) ? type.getFields()[name] : undefined;
      if (!field) throw new Error(`the schema has no field ${typeName}.${name}`);
      field.resolve = resolve as Resolve;
    }
  }
}

/** Wraps every root field with the check of the permission that it needs. */
function requirePermissions(schema: GraphQLSchema, root: string): void {
  const type = schema.getType(root);
  const access = root === "Query" ? "read" : "write";
  for (const [name, field] of Object.entries(isObjectType(type) ? type.getFields() : {})) {
    const { resolve } = field;
    if (!resolve) throw new Error(`${root}.${name} has no resolver`);
    const isPublic = publicRoots.has(name);
    const own = isPublic ? resolve : ofOwn(`${root}.${name}`, resolve);
    const authorized: Resolve = async (source, args, context, info) => {
      if (context.ownPod && (!isPublic || name === "myself"))
        requireOwnPod(context.ownPod.id, name, args);
      if (!isPublic) accountFor(context, access, selfRoots.has(name) ? "own" : "resources");
      try {
        return await own(source, args, context, info);
      } catch (error) {
        throw inSentNames(error, args);
      }
    };
    field.resolve = access === "read" || isPublic ? authorized : audited(name, authorized);
  }
}
