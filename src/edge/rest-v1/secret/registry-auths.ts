// Routes of /v1/containerregistryauth.

import type { FastifyInstance } from "fastify";
import {
  type RegistryAuth,
  registryAuthOperations,
} from "../../../contract/rest-v1/secret/registry-auth.ts";
import { createRegistryAuth } from "../../../flows/registry-auth/create.ts";
import { deleteRegistryAuthOf } from "../../../flows/registry-auth/delete.ts";
import {
  type AuthName,
  readRegistryAuth,
  registryAuthsOf,
} from "../../../flows/registry-auth/read.ts";
import type { RestDeps } from "../../management/deps.ts";
import { serve } from "../../management/serve/serve.ts";

export function registryAuthRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, registryAuthOperations, {
    async createContainerRegistryAuth({ accountId, body, once }) {
      return registryAuthRead(await createRegistryAuth(deps, { accountId, ...body, once }));
    },
    async listContainerRegistryAuths({ accountId }) {
      return (await registryAuthsOf(deps, accountId)).map(registryAuthRead);
    },
    async getContainerRegistryAuth({ accountId, params }) {
      return registryAuthRead(
        await readRegistryAuth(deps, accountId, params.containerRegistryAuthId),
      );
    },
    async deleteContainerRegistryAuth({ accountId, params }) {
      await deleteRegistryAuthOf(deps, accountId, params.containerRegistryAuthId);
    },
  });
}

function registryAuthRead({ id, name, registry }: AuthName): RegistryAuth {
  return { id, name, ...(registry !== null && { registry }) };
}
