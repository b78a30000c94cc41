// Flash builds: uploads, manifests and deployments.

import { type FlashBuild, objectKeyOf } from "../../../domain/flash/build.ts";
import {
  deployFlashBuild,
  readFlashBuild,
  updateFlashManifest,
} from "../../../flows/flash-app/builds.ts";
import type { SharedArchives } from "../../../flows/flash-app/shared-archives.ts";
import {
  type FlashUploadDeps,
  finalizeFlashUpload,
  prepareFlashUpload,
} from "../../../flows/flash-app/upload.ts";
import type { StartRules } from "../../../flows/workload/template-check.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, type GraphqlContext } from "../schema/context.ts";
import { graphqlEnvironment } from "../view/flash-environment-view.ts";

interface Deps extends FlashUploadDeps, StartRules {
  sharedArchives: SharedArchives;
}

export const flashBuildResolvers: Resolvers<GraphqlContext<Deps>> = {
  Query: {
    flashBuild: async (_, { flashBuildId }, context) => {
      const account = accountFor(context, "read");
      const build = await readFlashBuild(context.deps, account, flashBuildId);
      return build && graphqlBuild(build);
    },
  },
  Mutation: {
    prepareFlashArtifactUpload: async (_, { input }, context) => {
      const account = accountFor(context, "write");
      const request = { appId: input.flashAppId, size: input.tarballSize };
      const { build, path } = await prepareFlashUpload(context.deps, account, request);
      const { expiresAt } = build;
      return { uploadUrl: `${context.origin}${path}`, objectKey: objectKeyOf(build), expiresAt };
    },
    finalizeFlashArtifactUpload: async (_, { input }, context) => {
      const account = accountFor(context, "write");
      const { flashAppId: appId, objectKey, manifest } = input;
      const request = { appId, objectKey, manifest };
      return graphqlBuild(await finalizeFlashUpload(context.deps, account, request));
    },
    updateFlashBuildManifest: async (_, { input }, context) => {
      const account = accountFor(context, "write");
      const request = { id: input.flashBuildId, manifest: input.manifest };
      return graphqlBuild(await updateFlashManifest(context.deps, account, request));
    },
    deployBuildToEnvironment: async (_, { input }, context) => {
      const account = accountFor(context, "write");
      const request = { environmentId: input.flashEnvironmentId, buildId: input.flashBuildId };
      return graphqlEnvironment(await deployFlashBuild(context.deps, account, request));
    },
  },
};

export function graphqlBuild(build: FlashBuild) {
  const { id, createdAt, manifest } = build;
  return {
    id,
    objectKey: objectKeyOf(build),
    createdAt,
    manifest: JSON.parse(manifest ?? "{}") as unknown,
  };
}
