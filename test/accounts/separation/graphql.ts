// The cases of GraphQL: each root, and each field of the account, with the ids of another account.

import type { Ids } from "./scene.ts";

/**
 * hidden   another account's resource is reported as not found, or null
 * own      the response covers the calling account only
 * open     the response is the same for every account
 */
export interface GraphqlCase {
  outcome: "hidden" | "own" | "open";
  document: (ids: Ids) => string;
}

const hidden = (document: GraphqlCase["document"]): GraphqlCase => ({
  outcome: "hidden",
  document,
});
const own = (text: string): GraphqlCase => ({ outcome: "own", document: () => text });
const open = (text: string): GraphqlCase => ({ outcome: "open", document: () => text });
const mine = (field: string) => own(`{ myself { ${field} } }`);
const change = (root: string, input: (ids: Ids) => string, selection = "{ id }") =>
  hidden((ids) => `mutation { ${root}(input: {${input(ids)}}) ${selection} }`);
const onPod = (root: string, more = "", selection = "{ id }") =>
  change(root, ({ podId }) => `podId: "${podId}"${more}`, selection);

const TEMPLATE = 'containerDiskInGb: 5, dockerArgs: "", env: [], imageName: "i", volumeInGb: 0';

/** Unsupported features have no owner; test/graphql/not-offered.test.ts lists these roots. */
export const graphql: Record<string, GraphqlCase> = {
  "Query.myself": mine("id email"),
  "Query.gpuTypes": open("{ gpuTypes { id } }"),
  "Query.cpuTypes": open("{ cpuTypes { id } }"),
  "Query.cpuFlavors": open("{ cpuFlavors { id } }"),
  "Query.dataCenters": open("{ dataCenters { id } }"),
  // Ids of logins are secrets, and no account owns one.
  "Query.flashAuthRequestStatus": {
    outcome: "hidden",
    document: () => '{ flashAuthRequestStatus(flashAuthRequestId: "fhl_guess") { status } }',
  },
  "Mutation.createFlashAuthRequest": own("mutation { createFlashAuthRequest { status } }"),
  "Query.countryCodes": open("{ countryCodes }"),
  "Query.serverlessGpuPools": open("{ serverlessGpuPools { id } }"),
  "Query.machines": open("{ machines { id name pods { id name } } }"),
  "Query.pod": hidden(({ podId }) => `{ pod(input: {podId: "${podId}"}) { id name } }`),
  "Query.podTemplates": own("{ podTemplates { id name } }"),
  "Query.podTemplate": hidden(({ templateId }) => `{ podTemplate(id: "${templateId}") { id } }`),
  "Mutation.updateUserSettings": own(
    'mutation { updateUserSettings(input: {pubKey: ""}) { id pubKey } }',
  ),
  "Mutation.createCluster": hidden(
    ({ templateId }) =>
      `mutation { createCluster(input: {clusterName: "b", type: TRAINING, gpuTypeId: "NVIDIA A40",
        podCount: 2, templateId: "${templateId}"}) { id } }`,
  ),
  "Mutation.deleteCluster": hidden(
    ({ clusterId }) => `mutation { deleteCluster(input: {id: "${clusterId}"}) }`,
  ),
  "User.clusters": mine("clusters { id name pods { id } }"),
  "User.cluster": hidden(
    ({ clusterId }) => `{ myself { cluster(input: {id: "${clusterId}"}) { id name } } }`,
  ),
  "Mutation.saveEndpoint": change(
    "saveEndpoint",
    ({ endpointId, templateId }) =>
      `id: "${endpointId}", name: "b", templateId: "${templateId}", gpuIds: "AMPERE_24"`,
  ),
  "Mutation.deleteEndpoint": hidden(
    ({ endpointId }) => `mutation { deleteEndpoint(id: "${endpointId}") }`,
  ),
  "Mutation.updateEndpointTemplate": change(
    "updateEndpointTemplate",
    ({ endpointId, templateId }) => `endpointId: "${endpointId}", templateId: "${templateId}"`,
  ),
  "Mutation.createNetworkVolume": own(
    'mutation { createNetworkVolume(input: {name: "b", size: 1, dataCenterId: "EU-RO-1"}) { name } }',
  ),
  "Mutation.updateNetworkVolume": change(
    "updateNetworkVolume",
    ({ networkVolumeId }) => `id: "${networkVolumeId}", name: "b"`,
  ),
  "Mutation.deleteNetworkVolume": change(
    "deleteNetworkVolume",
    ({ networkVolumeId }) => `id: "${networkVolumeId}"`,
    "",
  ),
  "Mutation.podFindAndDeployOnDemand": change(
    "podFindAndDeployOnDemand",
    ({ templateId, networkVolumeId }) =>
      `gpuCount: 1, gpuTypeId: "NVIDIA A40", name: "b", templateId: "${templateId}", networkVolumeId: "${networkVolumeId}"`,
  ),
  "Mutation.podRentInterruptable": change(
    "podRentInterruptable",
    ({ templateId }) =>
      `bidPerGpu: 1, gpuCount: 1, gpuTypeId: "NVIDIA A40", name: "b", templateId: "${templateId}"`,
  ),
  "Mutation.deployCpuPod": change(
    "deployCpuPod",
    ({ templateId, networkVolumeId }) =>
      `instanceId: "cpu3c-2-4", name: "b", templateId: "${templateId}", networkVolumeId: "${networkVolumeId}"`,
  ),
  "Mutation.podResume": onPod("podResume"),
  "Mutation.podResumeZeroGpu": onPod("podResumeZeroGpu"),
  "Mutation.podBidResume": onPod("podBidResume", ", bidPerGpu: 1, gpuCount: 1"),
  "Mutation.podStop": onPod("podStop"),
  "Mutation.podEditJob": onPod(
    "podEditJob",
    ', imageName: "b", dockerArgs: "", env: [], containerDiskInGb: 5, volumeInGb: 0, volumeMountPath: "/w"',
  ),
  "Mutation.podReset": onPod("podReset"),
  "Mutation.podRestart": onPod("podRestart"),
  "Mutation.podEditName": onPod("podEditName", ', name: "b"'),
  "Mutation.podLock": onPod("podLock"),
  "Mutation.podUnlock": onPod("podUnlock"),
  "Mutation.podTerminate": onPod("podTerminate", "", ""),
  "Mutation.saveRegistryAuth": own(
    'mutation { saveRegistryAuth(input: {name: "g", username: "b", password: "b"}) { name } }',
  ),
  "Mutation.updateRegistryAuth": change(
    "updateRegistryAuth",
    ({ containerRegistryAuthId }) =>
      `id: "${containerRegistryAuthId}", username: "b", password: "b"`,
  ),
  "Mutation.deleteRegistryAuth": hidden(
    ({ containerRegistryAuthId }) =>
      `mutation { deleteRegistryAuth(registryAuthId: "${containerRegistryAuthId}") }`,
  ),
  "Query.flashApp": hidden(
    ({ flashAppId }) => `{ flashApp(flashAppId: "${flashAppId}") { id flashEnvironments { id } } }`,
  ),
  "Query.flashAppByName": hidden(() => '{ flashAppByName(flashAppName: "alpha") { id } }'),
  "Query.flashEnvironment": hidden(
    ({ flashEnvironmentId }) =>
      `{ flashEnvironment(flashEnvironmentId: "${flashEnvironmentId}") { id } }`,
  ),
  "Query.flashEnvironmentByName": hidden(
    ({ flashAppId }) =>
      `{ flashEnvironmentByName(input: {flashAppId: "${flashAppId}", name: "alpha"}) { id } }`,
  ),
  "Query.flashBuild": hidden(
    ({ flashBuildId }) => `{ flashBuild(flashBuildId: "${flashBuildId}") { id manifest } }`,
  ),
  "Mutation.prepareFlashArtifactUpload": change(
    "prepareFlashArtifactUpload",
    ({ flashAppId }) => `flashAppId: "${flashAppId}", tarballSize: 1`,
    "{ objectKey }",
  ),
  "Mutation.finalizeFlashArtifactUpload": change(
    "finalizeFlashArtifactUpload",
    ({ flashAppId }) => `flashAppId: "${flashAppId}", objectKey: "b", manifest: {}`,
  ),
  "Mutation.updateFlashBuildManifest": change(
    "updateFlashBuildManifest",
    ({ flashBuildId }) => `flashBuildId: "${flashBuildId}", manifest: {}`,
  ),
  "Mutation.deployBuildToEnvironment": change(
    "deployBuildToEnvironment",
    ({ flashEnvironmentId, flashBuildId }) =>
      `flashEnvironmentId: "${flashEnvironmentId}", flashBuildId: "${flashBuildId}"`,
  ),
  "Mutation.createFlashApp": own('mutation { createFlashApp(input: {name: "g"}) { name } }'),
  "Mutation.deleteFlashApp": hidden(
    ({ flashAppId }) => `mutation { deleteFlashApp(flashAppId: "${flashAppId}") }`,
  ),
  "Mutation.createFlashEnvironment": change(
    "createFlashEnvironment",
    ({ flashAppId }) => `flashAppId: "${flashAppId}", name: "b"`,
  ),
  "Mutation.deleteFlashEnvironment": hidden(
    ({ flashEnvironmentId }) =>
      `mutation { deleteFlashEnvironment(flashEnvironmentId: "${flashEnvironmentId}") }`,
  ),
  "Mutation.secretCreate": own(
    'mutation { secretCreate(input: {name: "g", value: "b"}) { name } }',
  ),
  "Mutation.secretDelete": hidden(({ secretId }) => `mutation { secretDelete(id: "${secretId}") }`),
  "Mutation.apiKeyCreate": hidden(
    ({ endpointId }) =>
      `mutation { apiKeyCreate(input: {name: "b", permissions: {queue: read, endpoints: ["${endpointId}"]}}) { key } }`,
  ),
  "Mutation.apiKeyUpdate": change("apiKeyUpdate", ({ keyId }) => `id: "${keyId}", disabled: true`),
  "Mutation.apiKeyRevoke": hidden(({ keyId }) => `mutation { apiKeyRevoke(id: "${keyId}") }`),
  "Mutation.saveTemplate": change(
    "saveTemplate",
    ({ templateId }) => `id: "${templateId}", name: "b", ${TEMPLATE}`,
  ),
  "Mutation.deleteTemplate": hidden(() => 'mutation { deleteTemplate(templateName: "alpha") }'),
  "User.pods": mine("pods { id name }"),
  "User.endpoints": mine("endpoints { id name }"),
  "User.endpoint": hidden(
    ({ endpointId }) => `{ myself { endpoint(id: "${endpointId}") { id } } }`,
  ),
  "User.networkVolumes": mine("networkVolumes { id name }"),
  "User.podTemplates": mine("podTemplates { id name }"),
  "User.containerRegistryCreds": mine("containerRegistryCreds { id name }"),
  "User.secrets": mine("secrets { id name }"),
  "User.flashApps": mine("flashApps { id name flashEnvironments { id name } }"),
  "User.apiKeys": mine("apiKeys { id name memberId }"),
  "User.pubKey": mine("pubKey"),
  "User.machines": mine("machines { id }"),
  "User.savingsPlans": mine("savingsPlans { id podId pod { id name } }"),
  "User.clientBalance": mine("clientBalance"),
  "User.currentSpendPerHr": mine("currentSpendPerHr"),
  "User.clientLifetimeSpend": mine("clientLifetimeSpend"),
  "User.underBalance": mine("underBalance minBalance creditBalance"),
  "User.billing": mine(
    "billing(input: {granularity: DAILY}) { summary { time } gpuCloud { gpuTypeId } serverless { endpointId } }",
  ),
  "User.spendDetails": mine(
    "spendDetails { localStoragePerHour networkStoragePerHour gpuComputePerHour }",
  ),
};
