// Routes of /v1/containerregistryauth.

import type { FastifyInstance } from "fastify";
import {
  type RegistryAuth,
  registryAuthOperations,
} from "../../../contract/rest-v1/secret/registry-auth.ts";
import { creatorOf } from "../../../domain/account.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import { createRegistryAuth, type NewRegistryAuth } from "../../../flows/registry-auth/create.ts";
import { deleteRegistryAuthOf } from "../../../flows/registry-auth/delete.ts";
import {
  type AuthName,
  readRegistryAuth,
  registryAuthsOf,
} from "../../../flows/registry-auth/read.ts";
import { changeRegistryAuthOf } from "../../../flows/registry-auth/update.ts";
import type { VaultDeps } from "../../management/deps.ts";
import { labeledAs, labelsRead } from "../../management/serve/labels.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";

export function registryAuthRoutes(app: FastifyInstance, deps: VaultDeps): void {
  serveOperations(app, registryAuthOperations, {
    async createContainerRegistryAuth({ key, body, once }) {
      body satisfies Whole<typeof body, NewRegistryAuth>;
      const auth = { ...body, ...creatorOf(key), once };
      return registryAuthRead(await createRegistryAuth(deps, auth));
    },
    async listContainerRegistryAuths({ accountId, key, query }) {
      const auths = await registryAuthsOf(deps, accountId);
      return labeledAs(query, ownedBy(auths, query.createdBy, key)).map(registryAuthRead);
    },
    async getContainerRegistryAuth({ accountId, params }) {
      return registryAuthRead(
        await readRegistryAuth(deps, accountId, params.containerRegistryAuthId),
      );
    },
    async updateContainerRegistryAuth({ accountId, params, body: { labels, ...rest } }) {
      rest satisfies Record<string, never>;
      const id = params.containerRegistryAuthId;
      const changes = { ...(labels && { labels }) };
      return registryAuthRead(await changeRegistryAuthOf(deps, accountId, id, changes));
    },
    async deleteContainerRegistryAuth({ accountId, params }) {
      await deleteRegistryAuthOf(deps, accountId, params.containerRegistryAuthId);
    },
  });
}

function registryAuthRead({ id, name, registry, owner, ...auth }: AuthName): RegistryAuth {
  return {
    id,
    name,
    ...labelsRead(auth),
    ...(registry !== null && { registry }),
    ...(owner && { createdBy: owner }),
  };
}
