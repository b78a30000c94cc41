// What a role that sees only its own may ask of GraphQL: the fields of Query, Mutation and User, with the kind of what
// their "id" names. A field without a row is closed.

import {
  limitedMember,
  notOwner,
  type OwnedKind,
  type Ownership,
  type Reference,
} from "../../../flows/member/ownership.ts";
import { referencesIn } from "../../http/auth/own/references.ts";
import type { GraphqlContext } from "./context.ts";

/** none: no "id" names a resource. closed: it reads or changes what has no owner. */
type FieldRule = OwnedKind | "none" | "closed";

/** Roots that are answered without a key need no row, nor do fields of User without a resolver. */
export const ownFields: Readonly<Record<string, FieldRule>> = {
  "Query.pod": "none",
  "Query.podTemplates": "none",
  "Query.podTemplate": "template",
  "Query.flashApp": "closed",
  "Query.flashAppByName": "closed",
  "Query.flashEnvironment": "closed",
  "Query.flashEnvironmentByName": "closed",
  "Query.flashBuild": "closed",
  "Mutation.prepareFlashArtifactUpload": "closed",
  "Mutation.finalizeFlashArtifactUpload": "closed",
  "Mutation.updateFlashBuildManifest": "closed",
  "Mutation.deployBuildToEnvironment": "closed",
  "Mutation.createFlashApp": "closed",
  "Mutation.deleteFlashApp": "closed",
  "Mutation.createFlashEnvironment": "closed",
  "Mutation.deleteFlashEnvironment": "closed",
  "Mutation.updateUserSettings": "none",
  "Mutation.createCluster": "none",
  "Mutation.deleteCluster": "cluster",
  "Mutation.saveEndpoint": "endpoint",
  "Mutation.deleteEndpoint": "endpoint",
  "Mutation.updateEndpointTemplate": "none",
  "Mutation.createNetworkVolume": "none",
  "Mutation.updateNetworkVolume": "networkVolume",
  "Mutation.deleteNetworkVolume": "networkVolume",
  "Mutation.podFindAndDeployOnDemand": "none",
  "Mutation.podRentInterruptable": "none",
  "Mutation.deployCpuPod": "none",
  "Mutation.podResume": "none",
  "Mutation.podResumeZeroGpu": "none",
  "Mutation.podBidResume": "none",
  "Mutation.podStop": "none",
  "Mutation.podEditJob": "none",
  "Mutation.podReset": "none",
  "Mutation.podRestart": "none",
  "Mutation.podEditName": "none",
  "Mutation.podLock": "none",
  "Mutation.podUnlock": "none",
  "Mutation.migratePod": "none",
  "Mutation.podTerminate": "none",
  "Mutation.saveRegistryAuth": "none",
  "Mutation.updateRegistryAuth": "registryAuth",
  "Mutation.deleteRegistryAuth": "none",
  "Mutation.secretCreate": "none",
  "Mutation.secretDelete": "secret",
  "Mutation.saveTemplate": "template",
  "Mutation.deleteTemplate": "none",
  "User.activeMigrations": "none",
  "User.pods": "none",
  "User.endpoints": "none",
  "User.endpoint": "endpoint",
  "User.clusters": "none",
  "User.cluster": "cluster",
  "User.networkVolumes": "none",
  "User.podTemplates": "none",
  "User.containerRegistryCreds": "none",
  "User.secrets": "none",
  "User.pubKey": "none",
  "User.flashApps": "closed",
  // These answers are the same for every role, the caller's own, or null without access to billing.
  "Query.machines": "none",
  "Query.myModels": "none",
  "Query.podMigrationById": "none",
  "Query.myModel": "none",
  "Mutation.addModelToRepo": "none",
  "Mutation.removeModelFromRepo": "none",
  "Mutation.createModelRepoUpload": "none",
  "Mutation.completeModelRepoUpload": "none",
  "Mutation.updateModelVersionStatus": "none",
  "Mutation.apiKeyCreate": "none",
  "Mutation.apiKeyUpdate": "none",
  "Mutation.apiKeyRevoke": "none",
  "User.apiKeys": "none",
  "User.machines": "none",
  "User.savingsPlans": "none",
  "User.clientBalance": "none",
  "User.currentSpendPerHr": "none",
  "User.clientLifetimeSpend": "none",
  "User.underBalance": "none",
  "User.isTeam": "none",
  "User.billing": "none",
  "User.spendDetails": "none",
};

export interface OwnershipDeps {
  ownership: Ownership;
}

/** Undefined for other roles and their own fields; rejects where the arguments name something of others. */
export function requireOwnArguments(
  context: GraphqlContext<OwnershipDeps>,
  field: string,
  args: Record<string, unknown>,
): Promise<void> | undefined {
  const { key, deps } = context;
  if (!key || !limitedMember(key)) return undefined;
  const rule = ownFields[field] ?? "closed";
  if (rule === "closed") throw notOwner(`${field} reads or changes what has no owner`);
  // In a body of REST, "input" is that of a job.
  const { input, ...rest } = args;
  const named = referencesIn([rest, input]);
  return deps.ownership.requireOwn(key, [...named, ...referencesById(field, rule, args)]);
}

function referencesById(
  field: string,
  rule: OwnedKind | "none",
  args: Record<string, unknown>,
): Reference[] {
  if (rule === "none") return [];
  const input = (args.input ?? {}) as { id?: unknown; template?: unknown };
  const ids = [args.id, input.id].filter((id) => typeof id === "string" && id !== "");
  const kinds = [rule, ...(field.startsWith("Mutation.") ? alsoChanged(rule, input) : [])];
  return ids.flatMap((id) => kinds.map((kind) => ({ kind, id: id as string })));
}

/** A change of an endpoint may change the template that it runs, and that of a template all endpoints that run it. */
function alsoChanged(rule: OwnedKind, { template }: { template?: unknown }): OwnedKind[] {
  if (rule === "template") return ["userOfTemplate"];
  return rule === "endpoint" && template ? ["templateOfEndpoint", "userOfTemplateOfEndpoint"] : [];
}
