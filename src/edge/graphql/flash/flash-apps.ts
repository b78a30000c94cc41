// Flash apps and their environments.

import { objectKeyOf } from "../../../domain/flash/build.ts";
import { readEndpoints } from "../../../flows/endpoint/read.ts";
import { buildsOf } from "../../../flows/flash-app/builds.ts";
import { createFlashApp, createFlashEnvironment } from "../../../flows/flash-app/create.ts";
import { deleteFlashAppOf, deleteFlashEnvironmentOf } from "../../../flows/flash-app/delete.ts";
import { flashDownload } from "../../../flows/flash-app/download.ts";
import {
  environmentsOf,
  flashAppsOf,
  readFlashApp,
  readFlashAppNamed,
  readFlashEnvironment,
  readFlashEnvironmentNamed,
} from "../../../flows/flash-app/read.ts";
import type { FlashUploadDeps } from "../../../flows/flash-app/upload.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { volumesOf } from "../../../flows/network-volume/read.ts";
import { networkVolumeRead } from "../../management/storage/network-volume-view.ts";
import { type EndpointReadDeps, readEndpointList } from "../endpoint/endpoints.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, type GraphqlContext } from "../schema/context.ts";
import { nullIfMissing } from "../schema/missing.ts";
import { graphqlEnvironment } from "../view/flash-environment-view.ts";
import { graphqlBuild } from "./flash-builds.ts";

interface Deps extends FlowDeps, EndpointReadDeps, Pick<FlashUploadDeps, "flashArchives"> {}

export const flashAppResolvers: Resolvers<GraphqlContext<Deps>> = {
  Query: {
    flashApp: (_, { flashAppId }, context) =>
      nullIfMissing("flash_app_not_found", async () => {
        const account = accountFor(context, "read");
        return readFlashApp(context.deps, account, flashAppId);
      }),
    // A missing app is refused: clients read "app not found" in the message, and create it.
    flashAppByName: async (_, { flashAppName }, context) => {
      const account = accountFor(context, "read");
      return readFlashAppNamed(context.deps, account, flashAppName);
    },
    flashEnvironment: async (_, { flashEnvironmentId: id }, context) => {
      const account = accountFor(context, "read");
      const environment = await readFlashEnvironment(context.deps, account, id);
      return environment && graphqlEnvironment(environment);
    },
    flashEnvironmentByName: (_, { input: { flashAppId: appId, name } }, context) =>
      nullIfMissing("flash_app_not_found", async () => {
        const account = accountFor(context, "read");
        const key = { appId, name };
        const environment = await readFlashEnvironmentNamed(context.deps, account, key);
        return environment && graphqlEnvironment(environment);
      }),
  },
  Mutation: {
    createFlashApp: async (_, { input }, context) => {
      const account = accountFor(context, "write");
      return createFlashApp(context.deps, account, { name: input.name, once: context.once });
    },
    deleteFlashApp: async (_, { flashAppId }, context) => {
      await deleteFlashAppOf(context.deps, accountFor(context, "write"), flashAppId);
      return null;
    },
    createFlashEnvironment: async (_, { input: { flashAppId: appId, name } }, context) => {
      const account = accountFor(context, "write");
      const environment = { appId, name, once: context.once };
      return graphqlEnvironment(await createFlashEnvironment(context.deps, account, environment));
    },
    deleteFlashEnvironment: async (_, { flashEnvironmentId: id }, context) => {
      await deleteFlashEnvironmentOf(context.deps, accountFor(context, "write"), id);
      return null;
    },
  },
  User: {
    flashApps: (_, __, context) => flashAppsOf(context.deps, accountFor(context, "read")),
  },
  FlashEnvironment: {
    activeArtifact: ({ appId, activeBuildId: id }, _, { deps, origin }) => {
      if (id === null) return null;
      const { path, expiresAt } = flashDownload(deps, id);
      return { objectKey: objectKeyOf({ appId, id }), downloadUrl: `${origin}${path}`, expiresAt };
    },
    endpoints: async ({ id }, _, context) =>
      (await readEndpointList(context)).filter(
        ({ flashEnvironmentId }) => flashEnvironmentId === id,
      ),
    networkVolumes: async ({ id }, _, context) => {
      const { deps } = context;
      const views = await readEndpoints(deps, accountFor(context, "read"), false);
      const its = views.filter(({ endpoint }) => endpoint.spec.flashEnvironmentId === id);
      const used = new Set(its.flatMap(({ endpoint }) => endpoint.spec.networkVolumeIds));
      const volumes = await volumesOf(deps, accountFor(context, "read"));
      return volumes.filter((volume) => used.has(volume.id)).map(networkVolumeRead);
    },
  },
  FlashApp: {
    flashEnvironments: async (app, _, context) =>
      (await environmentsOf(context.deps, app)).map(graphqlEnvironment),
    flashBuilds: async (app, _, context) => (await buildsOf(context.deps, app)).map(graphqlBuild),
  },
};
