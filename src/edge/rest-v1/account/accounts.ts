// Routes of /v1/accounts.

import type { FastifyInstance } from "fastify";
import {
  accountsOperations,
  type ManagedAccount,
} from "../../../contract/rest-v1/account/accounts.ts";
import {
  type CreateAccountDeps,
  createAccount,
  createAccountKey,
  type NewAccount,
} from "../../../flows/account/create-account.ts";
import {
  type AccountView,
  accountFor,
  accountsFor,
  changeAccount,
} from "../../../flows/account/manage-accounts.ts";
import { addCredit } from "../../../flows/billing/credit.ts";
import type { StandingDeps } from "../../../flows/billing/standing.ts";
import type { StorageQuota } from "../../../flows/storage-quota.ts";
import { keyRead } from "../../management/account/key-view.ts";
import { dollars, microsOf } from "../../management/billing/dollars.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";
import { maxLifetimeOf } from "../../management/template/max-lifetime.ts";
import { balanceRead } from "../billing/billing.ts";

interface Deps extends CreateAccountDeps, StandingDeps {
  storageQuota: StorageQuota;
}

export function accountsRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, accountsOperations, {
    async createAccount({ key: by, body, once }) {
      body satisfies Whole<typeof body, NewAccount>;
      const { account, secret } = await createAccount(deps, { by, limited: true, ...body, once });
      return { ...read({ ...account, balance: 0, perHour: 0, spent: 0 }), key: secret };
    },
    async listAccounts({ accountId, query }) {
      const accounts = await accountsFor(deps, accountId);
      if (!query.includeStorage) return accounts.map(read);
      const { storageQuota } = deps;
      const limit = storageQuota.limit === null ? {} : { limitBytes: storageQuota.limit };
      const all: ManagedAccount[] = [];
      for (const account of accounts) {
        const bytes = await storageQuota.storedBytes(account.id);
        all.push({ ...read(account), storage: { bytes, ...limit } });
      }
      return all;
    },
    getManagedAccount: async ({ accountId, params }) =>
      read(await accountFor(deps, accountId, params.accountId)),
    async updateManagedAccount({ accountId, params, body: { maxLifetime, ...body } }) {
      body satisfies Whole<typeof body, Parameters<typeof changeAccount>[3]>;
      const rule = maxLifetime !== undefined && { maxLifetime: maxLifetimeOf(maxLifetime) };
      return read(await changeAccount(deps, accountId, params.accountId, { ...body, ...rule }));
    },
    async creditAccount({ accountId: by, params: { accountId }, body, once }) {
      const { amount, note = "", ...rest } = body;
      rest satisfies Record<string, never>;
      const credit = { by, accountId, micros: microsOf(amount, "amount"), note, once };
      return balanceRead(await addCredit(deps, credit));
    },
    async createAccountKey({ key: by, params: { accountId }, body: { name, ...rest }, once }) {
      rest satisfies Record<string, never>;
      const { key, secret } = await createAccountKey(deps, by, { accountId, name, once });
      return { ...keyRead(key), key: secret };
    },
  });
}

function read(view: AccountView): ManagedAccount {
  const { id, name, limited, disabledAt, maxLifetime, balance, perHour, createdAt } = view;
  return {
    id,
    name,
    limited,
    disabled: disabledAt !== null,
    ...(maxLifetime && { maxLifetime }),
    balance: dollars(balance),
    spendPerHr: dollars(perHour),
    createdAt: instant(createdAt),
  };
}
