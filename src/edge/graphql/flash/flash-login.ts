// Logins of Flash clients, which have no key yet.

import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { beginLogin, collectLogin } from "../../../flows/session/device-login.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import type { GraphqlContext } from "../schema/context.ts";

export const flashLoginResolvers: Resolvers<GraphqlContext<FlowDeps>> = {
  Query: {
    flashAuthRequestStatus: async (_, { flashAuthRequestId: id }, { deps }) => {
      const { login, secret } = await collectLogin(deps, id);
      // Clients take the key only from an approved login.
      const status = secret === null ? login.status : "APPROVED";
      return { id, status, expiresAt: login.expiresAt, apiKey: secret };
    },
  },
  Mutation: {
    createFlashAuthRequest: async (_, __, { deps, caller }) => {
      const { id, login } = await beginLogin(deps, caller);
      return { id, status: login.status, expiresAt: login.expiresAt };
    },
  },
};
