// All accounts, for the operator.

import Type, { type Static } from "typebox";
import { instant, name } from "../../fields.ts";
import { maxLifetime, maxLifetimeOrNull } from "../../max-lifetime.ts";
import type { Operations } from "../../operation.ts";
import { balance, creditCreate } from "../billing/billing.ts";
import { newKey } from "./key.ts";

const limited = Type.Boolean({ description: "Whether usage is limited to the account's credits." });

const accountCreate = Type.Object(
  {
    name,
    limited: Type.Optional({ ...limited, default: true }),
  },
  { title: "AccountCreate", additionalProperties: false },
);

const managedAccountUpdate = Type.Partial(
  Type.Object({
    name,
    limited,
    disabled: Type.Boolean({
      description:
        "The keys of a disabled account are rejected, its Pods stop, and its workers end after " +
        "they finish their jobs. Enabling the account does not start its Pods again.",
    }),
    maxLifetime: maxLifetimeOrNull,
  }),
  { title: "ManagedAccountUpdate", additionalProperties: false },
);

const managedAccount = Type.Object(
  {
    id: Type.String(),
    name,
    limited,
    disabled: Type.Boolean(),
    maxLifetime: Type.Optional(maxLifetime),
    balance: Type.Number({
      description: "Balance in dollars; negative if usage exceeds the credits.",
    }),
    spendPerHr: Type.Number({ description: "Current cost in dollars per hour." }),
    createdAt: instant,
    storage: Type.Optional(
      Type.Object(
        {
          bytes: Type.Integer({ description: "What the account stores." }),
          limitBytes: Type.Optional(
            Type.Integer({ description: "The most that it may store; absent for no limit." }),
          ),
        },
        { description: "With includeStorage." },
      ),
    ),
  },
  { title: "ManagedAccount" },
);
export type ManagedAccount = Static<typeof managedAccount>;

const newAccount = Type.Object(
  {
    ...managedAccount.properties,
    key: Type.String({ description: "The first key, with full access; returned only once." }),
  },
  { title: "NewAccount" },
);

const accountKeyCreate = Type.Object(
  { name },
  { title: "AccountKeyCreate", additionalProperties: false },
);

const accountPath = "/v1/accounts/{accountId}";
const read = { of: "rest", access: "read", area: "account" } as const;
const write = { of: "rest", access: "write", area: "account" } as const;
const tag = "Accounts";

export const accountsOperations = {
  createAccount: {
    method: "POST",
    path: "/v1/accounts",
    tag,
    summary: "Create an account",
    description:
      "The key is returned only once. A repeated request with the same Idempotency-Key gets it again for 24 hours. " +
      "Names are unique.",
    needs: write,
    body: accountCreate,
    once: true,
    answer: { status: 201, description: "The account.", schema: newAccount },
  },
  listAccounts: {
    method: "GET",
    path: "/v1/accounts",
    tag,
    summary: "List accounts",
    needs: read,
    query: Type.Partial(
      Type.Object({
        includeStorage: Type.Boolean({
          default: false,
          description: "Include what each account stores.",
        }),
      }),
    ),
    answer: {
      status: 200,
      description: "The accounts; the operator's account is the first.",
      schema: Type.Array(managedAccount),
    },
  },
  getManagedAccount: {
    method: "GET",
    path: accountPath,
    tag,
    summary: "Read an account",
    needs: read,
    answer: { status: 200, description: "The account.", schema: managedAccount },
  },
  updateManagedAccount: {
    method: "PATCH",
    path: accountPath,
    tag,
    summary: "Rename, limit, disable or enable an account, or set the maximum lifetime of its Pods",
    needs: write,
    body: managedAccountUpdate,
    answer: { status: 200, description: "The account.", schema: managedAccount },
  },
  creditAccount: {
    method: "POST",
    path: `${accountPath}/credits`,
    tag,
    summary: "Add or remove credits of an account",
    description: "The account is limited to its credits from then on.",
    needs: write,
    body: creditCreate,
    once: true,
    answer: { status: 201, description: "The new balance.", schema: balance },
  },
  createAccountKey: {
    method: "POST",
    path: `${accountPath}/keys`,
    tag,
    summary: "Create a key with full access to an account",
    description: "Use it if the account has lost its keys.",
    needs: write,
    body: accountKeyCreate,
    once: true,
    answer: { status: 201, description: "The key; returned only once.", schema: newKey },
  },
} as const satisfies Operations;
