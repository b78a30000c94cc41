// All accounts, as the operator sees them.

import Type, { type Static } from "typebox";
import { instant, name } from "../fields.ts";
import type { Operations } from "../operation.ts";
import { creditCreate, standing } from "./billing.ts";
import { newKey } from "./key.ts";

const limited = (description: string) => Type.Boolean({ description });

const accountCreate = Type.Object(
  {
    name,
    limited: Type.Optional(
      Type.Boolean({
        default: true,
        description: "Whether it may only use the credits that it is given.",
      }),
    ),
  },
  { title: "AccountCreate", additionalProperties: false },
);

const managedUpdate = Type.Partial(
  Type.Object({
    name,
    limited: limited("False for one that is metered and never stopped."),
    disabled: Type.Boolean({
      description:
        "A disabled account's keys open nothing, its Pods are stopped and its workers end when " +
        "they have finished their jobs. Pods that were stopped stay so when it is enabled.",
    }),
  }),
  { title: "ManagedAccountUpdate", additionalProperties: false },
);

const managed = Type.Object(
  {
    id: Type.String(),
    name,
    limited: limited("Whether it may only use the credits that it is given."),
    disabled: Type.Boolean(),
    balance: Type.Number({ description: "Dollars; below zero where more was used than given." }),
    spendPerHr: Type.Number({ description: "Dollars per hour, of all that is metered now." }),
    createdAt: instant,
  },
  { title: "ManagedAccount" },
);
export type ManagedAccount = Static<typeof managed>;

const newAccount = Type.Object(
  {
    ...managed.properties,
    key: Type.String({ description: "The first key, which may do everything; shown only now." }),
  },
  { title: "NewAccount" },
);

const keyName = Type.Object({ name }, { title: "AccountKeyCreate", additionalProperties: false });

const one = "/v1/accounts/{accountId}";
const read = { of: "rest", access: "read", area: "account" } as const;
const write = { of: "rest", access: "write", area: "account" } as const;
const tag = "Accounts";

export const accountsOperations = {
  createAccount: {
    method: "POST",
    path: "/v1/accounts",
    tag,
    summary: "Make an account",
    description: "Its key is shown once, so no Idempotency-Key is taken; names are unique.",
    needs: write,
    body: accountCreate,
    answer: { status: 201, description: "The account.", schema: newAccount },
  },
  listAccounts: {
    method: "GET",
    path: "/v1/accounts",
    tag,
    summary: "List accounts",
    needs: read,
    answer: {
      status: 200,
      description: "The accounts, the operator's first.",
      schema: Type.Array(managed),
    },
  },
  getManagedAccount: {
    method: "GET",
    path: one,
    tag,
    summary: "Read an account",
    needs: read,
    answer: { status: 200, description: "The account.", schema: managed },
  },
  updateManagedAccount: {
    method: "PATCH",
    path: one,
    tag,
    summary: "Rename, limit, disable or enable an account",
    needs: write,
    body: managedUpdate,
    answer: { status: 200, description: "The account.", schema: managed },
  },
  creditAccount: {
    method: "POST",
    path: `${one}/credits`,
    tag,
    summary: "Give an account credits, or take some",
    description: "From then on the account is limited to what it has.",
    needs: write,
    body: creditCreate,
    once: true,
    answer: { status: 201, description: "Its balance with it.", schema: standing },
  },
  createAccountKey: {
    method: "POST",
    path: `${one}/keys`,
    tag,
    summary: "Make a key that may do everything in an account",
    description: "For whoever has lost his.",
    needs: write,
    body: keyName,
    answer: { status: 201, description: "The key; shown once.", schema: newKey },
  },
} as const satisfies Operations;
