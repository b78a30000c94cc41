// Sessions: browsers that signed in with a key.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";
import type { Operations } from "../operation.ts";
import { permissions } from "./key.ts";

export const signIn = Type.Object(
  { key: Type.String({ minLength: 1, maxLength: 200, description: "An API key." }) },
  { title: "SignIn", additionalProperties: false },
);

const sessionKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: "The key's last four characters." }),
  permissions,
});

export const self = Type.Object(
  {
    account: Type.Object({ id: Type.String(), name: Type.String() }),
    operator: Type.Boolean({ description: "Whether the account runs the service." }),
    key: sessionKey,
    proxyDomain: Type.String({
      description: "Below which Pods' pages are found, as <podId>-<port>.<proxyDomain>.",
    }),
    role: Type.Optional(Type.String({ description: "Of the member whose key it is." })),
    sessionId: Type.Optional(Type.String({ description: "Where a session asks, its id." })),
    expiresAt: Type.Optional(instant),
  },
  { title: "Self" },
);
export type Self = Static<typeof self>;

export const session = Type.Object(
  {
    id: Type.String(),
    key: Type.Object({ id: Type.String(), name: Type.String(), hint: Type.String() }),
    agent: Type.String({ description: "What the browser says it is." }),
    createdAt: instant,
    expiresAt: instant,
    current: Type.Boolean({ description: "Whether it is the one that asks." }),
  },
  { title: "Session" },
);
export type Session = Static<typeof session>;

const tag = "Sessions";
const read = { of: "rest", access: "read", area: "own" } as const;

export const sessionOperations = {
  signIn: {
    method: "POST",
    path: "/v1/session",
    tag,
    summary: "Sign in with a key",
    description:
      "Sets a cookie that scripts cannot read. It may do what the key may, ends with it, and is " +
      "answered only where a page of this service asks.",
    needs: "nobody",
    body: signIn,
    answer: { status: 200, description: "Who is signed in.", schema: self },
  },
  getSelf: {
    method: "GET",
    path: "/v1/session",
    tag,
    summary: "Who asks",
    needs: read,
    answer: { status: 200, description: "The account, the key and the session.", schema: self },
  },
  signOut: {
    method: "DELETE",
    path: "/v1/session",
    tag,
    summary: "Sign out",
    needs: read,
    answer: { status: 204, description: "The session that asked opens nothing any more." },
  },
  listSessions: {
    method: "GET",
    path: "/v1/sessions",
    tag,
    summary: "List sessions",
    description: "Of all keys that the asking one sees: a member's own, or the whole account's.",
    needs: read,
    answer: { status: 200, description: "The latest first.", schema: Type.Array(session) },
  },
  endSession: {
    method: "DELETE",
    path: "/v1/sessions/{sessionId}",
    tag,
    summary: "End a session",
    needs: { of: "rest", access: "write", area: "own" },
    answer: { status: 204, description: "It opens nothing any more." },
  },
} as const satisfies Operations;
