// The parts of the schema that clients know and Freehold does not offer: Flash apps, the model
// repository and the hub. Queries find nothing; mutations are refused.

import { Fault } from "../../domain/fault.ts";
import { WordedFault } from "./execute/graphql-error.ts";
import type { Resolvers } from "./schema/types.generated.ts";

const nothing = () => null;
const emptyList = () => [];

const refuse = (what: string) => () => {
  throw new Fault("not_offered", { detail: `${what} not offered here.` });
};

const refuseFlash = refuse("Flash apps are");
const refuseModels = refuse("The model repository is");

/** Some clients compare this message to learn that an app does not exist yet. */
const refuseFlashApp = () => {
  throw new WordedFault("app not found", "not_found");
};

export const notOfferedResolvers: Resolvers = {
  Query: {
    listings: emptyList,
    listing: nothing,
    listingFromRepo: nothing,
    allAiApiPublicConfigs: emptyList,
    myModels: emptyList,
    myModel: nothing,
    flashApp: nothing,
    flashAppByName: refuseFlashApp,
    flashEnvironment: nothing,
    flashEnvironmentByName: nothing,
    flashBuild: nothing,
    flashAuthRequestStatus: nothing,
  },
  Mutation: {
    createFlashApp: refuseFlash,
    deleteFlashApp: refuseFlashApp,
    createFlashEnvironment: refuseFlash,
    deleteFlashEnvironment: refuseFlash,
    prepareFlashArtifactUpload: refuseFlash,
    finalizeFlashArtifactUpload: refuseFlash,
    updateFlashBuildManifest: refuseFlash,
    deployBuildToEnvironment: refuseFlash,
    createFlashAuthRequest: refuseFlash,
    addModelToRepo: refuseModels,
    removeModelFromRepo: refuseModels,
    createModelRepoUpload: refuseModels,
    completeModelRepoUpload: refuseModels,
    updateModelVersionStatus: refuseModels,
  },
};
