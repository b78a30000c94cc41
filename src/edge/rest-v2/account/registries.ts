// Routes of /v2/registries.

import type { FastifyInstance } from "fastify";
import { registryOperations } from "../../../contract/rest-v2/account/registry.ts";
import { creatorOf } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
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
import type { Whole } from "../../management/serve/take-fields.ts";
import { serveRestV2 } from "../serve/serve.ts";

export function registryRoutes(app: FastifyInstance, deps: VaultDeps): void {
  serveRestV2(app, registryOperations, {
    async createRegistry({ key, body, once }) {
      body satisfies Whole<typeof body, NewRegistryAuth>;
      return registryRead(await createRegistryAuth(deps, { ...body, ...creatorOf(key), once }));
    },
    async listRegistries({ accountId, key, query }) {
      const auths = await registryAuthsOf(deps, accountId);
      const owned = ownedBy(auths, query.createdBy, key);
      return { registries: labeledAs(query, owned).map(registryRead) };
    },
    async getRegistry({ accountId, params }) {
      return registryRead(await readRegistryAuth(deps, accountId, params.registryId));
    },
    async updateRegistry({ accountId, params: { registryId }, body: { labels, ...rest } }) {
      rest satisfies Record<string, never>;
      const changes = { ...(labels && { labels }) };
      return registryRead(await changeRegistryAuthOf(deps, accountId, registryId, changes));
    },
    async deleteRegistry({ accountId, params }) {
      await deleteRegistryAuthOf(deps, accountId, params.registryId);
    },
    listDelegations: async () => ({ delegations: [] }),
    async createDelegation() {
      const detail =
        "Delegations of a cloud provider's registry are not offered; save credentials in /v2/registries.";
      throw new Fault("not_offered", { detail });
    },
    async deleteDelegation({ params }) {
      throw new Fault("resource_not_found", { id: params.delegationId });
    },
  });
}

const registryRead = ({ id, name, owner, ...auth }: AuthName) => ({
  id,
  name,
  ...labelsRead(auth),
  ...(owner && { createdBy: owner }),
});
