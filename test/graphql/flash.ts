// The operations of Flash clients: apps, environments, uploaded builds and their deployment.

import assert from "node:assert/strict";
import type { TestService } from "../fixtures/service/service.ts";
import { ask } from "./ask.ts";

export const PREPARE = `mutation PrepareArtifactUpload($input: PrepareFlashArtifactUploadInput!) {
  prepareFlashArtifactUpload(input: $input) { uploadUrl objectKey expiresAt } }`;
export const FINALIZE = `mutation FinalizeArtifactUpload($input: FinalizeFlashArtifactUploadInput!) {
  finalizeFlashArtifactUpload(input: $input) { id manifest } }`;
export const MANIFEST = `mutation updateFlashBuildManifest($input: UpdateFlashBuildManifestInput!) {
  updateFlashBuildManifest(input: $input) { id manifest } }`;
export const BUILD = `query getFlashBuild($input: String!) { flashBuild(flashBuildId: $input) { id manifest } }`;
export const DEPLOY = `mutation deployBuildToEnvironment($input: DeployBuildToEnvironmentInput!) {
  deployBuildToEnvironment(input: $input) { id name activeArtifact { objectKey downloadUrl expiresAt } } }`;
export const SAVE = `mutation saveEndpoint($input: EndpointInput!) {
  saveEndpoint(input: $input) { id flashEnvironmentId activeBuildid version } }`;

export const ARCHIVE = Buffer.from("an archive that nothing unpacks here");
/** One store and one data folder, whatever the other tests run on. */
export const alone = { replicas: null };

export async function makeApp(service: Pick<TestService, "call">) {
  const { app } = await ask(service, 'mutation { app: createFlashApp(input: {name: "a"}) { id } }');
  const input = `{flashAppId: "${app.id}", name: "dev"}`;
  const { env } = await ask(
    service,
    `mutation { env: createFlashEnvironment(input: ${input}) { id } }`,
  );
  return { appId: app.id as string, environmentId: env.id as string };
}

export async function prepare(
  service: Pick<TestService, "call">,
  flashAppId: string,
  tarballSize = ARCHIVE.length,
) {
  const input = { flashAppId, tarballSize };
  return (await ask(service, PREPARE, { input })).prepareFlashArtifactUpload;
}

export function put(url: string, body: Buffer = ARCHIVE): Promise<Response> {
  const headers = { "content-type": "application/gzip" };
  return fetch(url, { method: "PUT", body: new Uint8Array(body), headers });
}

export async function build(
  service: Pick<TestService, "call">,
  flashAppId: string,
  archive = ARCHIVE,
): Promise<string> {
  const { uploadUrl, objectKey } = await prepare(service, flashAppId, archive.length);
  assert.equal((await put(uploadUrl, archive)).status, 200);
  const input = { flashAppId, objectKey, manifest: { resources: { f: {} } } };
  return (await ask(service, FINALIZE, { input })).finalizeFlashArtifactUpload.id;
}

export async function deploy(
  service: Pick<TestService, "call">,
  flashEnvironmentId: string,
  flashBuildId: string,
) {
  const input = { flashEnvironmentId, flashBuildId };
  return (await ask(service, DEPLOY, { input })).deployBuildToEnvironment;
}
