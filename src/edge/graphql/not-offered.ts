// The parts of the schema that clients know and Freehold does not offer: the model repository, the hub and moves of Pods. Queries find nothing; mutations are refused.

import { Fault } from "../../domain/fault.ts";
import type { Resolvers } from "./resolvers/resolvers.generated.ts";

const nothing = () => null;
const emptyList = () => [];

const refuse = (what: string) => () => {
  throw new Fault("not_offered", { detail: `${what} not offered here.` });
};

const refuseModels = refuse("The model repository is");

export const notOfferedResolvers: Resolvers = {
  Query: {
    listings: emptyList,
    listing: nothing,
    listingFromRepo: nothing,
    allAiApiPublicConfigs: emptyList,
    myModels: emptyList,
    myModel: nothing,
    podMigrationById: nothing,
  },
  User: {
    activeMigrations: emptyList,
  },
  Mutation: {
    addModelToRepo: refuseModels,
    removeModelFromRepo: refuseModels,
    createModelRepoUpload: refuseModels,
    completeModelRepoUpload: refuseModels,
    updateModelVersionStatus: refuseModels,
    migratePod: refuse("Moving a Pod to another machine is"),
  },
};
