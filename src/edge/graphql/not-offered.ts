// What clients know and is not here: Flash apps, the model repository, the hub, clusters. Reading finds
// nothing; whatever would change something is refused.

import { Fault } from "../../domain/fault.ts";
import type { Fields } from "./fields.ts";
import { WordedFault } from "./refusals.ts";

const none = () => null;
const empty = () => [];

const refusing = (what: string) => () => {
  throw new Fault("not_offered", { detail: `${what} not offered here.` });
};

const flash = refusing("Flash apps are");
const models = refusing("The model repository is");
const clusters = refusing("Clusters are");

/** Some clients tell by these words that an app is still to be made. */
const noApp = () => {
  throw new WordedFault("app not found", "not_found");
};

/** And some by this code that a cluster is gone. */
const noCluster = () => {
  throw new WordedFault("There is no such cluster.", "Cluster not found");
};

export const notOfferedFields: Fields = {
  Query: {
    listings: empty,
    listing: none,
    listingFromRepo: none,
    allAiApiPublicConfigs: empty,
    myModels: empty,
    myModel: none,
    flashApp: none,
    flashAppByName: noApp,
    flashEnvironment: none,
    flashEnvironmentByName: none,
    flashBuild: none,
    flashAuthRequestStatus: none,
  },
  Mutation: {
    createCluster: clusters,
    deleteCluster: noCluster,
    createFlashApp: flash,
    deleteFlashApp: noApp,
    createFlashEnvironment: flash,
    deleteFlashEnvironment: flash,
    prepareFlashArtifactUpload: flash,
    finalizeFlashArtifactUpload: flash,
    updateFlashBuildManifest: flash,
    deployBuildToEnvironment: flash,
    createFlashAuthRequest: flash,
    addModelToRepo: models,
    removeModelFromRepo: models,
    createModelRepoUpload: models,
    completeModelRepoUpload: models,
    updateModelVersionStatus: models,
  },
};
