// Browser sessions.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { permissions } from "./key.ts";

const signIn = Type.Partial(
  Type.Object({
    key: Type.String({
      minLength: 1,
      maxLength: 200,
      writeOnly: true,
      description: "An API key; without the other fields.",
    }),
    email: Type.String({ maxLength: 254, description: "A member's e-mail address." }),
    password: Type.String({
      maxLength: 4096,
      writeOnly: true,
      description: "The member's password.",
    }),
    code: Type.String({
      maxLength: 40,
      writeOnly: true,
      description: "A one-time code or a recovery code, if the member has one-time codes.",
    }),
    accountId: Type.String({
      maxLength: 64,
      description: "The account, if the address and the password sign in to several.",
    }),
  }),
  { title: "SignIn", additionalProperties: false },
);

const sessionKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: "The key's last four characters." }),
  permissions,
});

const ofMember = "Null without one; absent if the key belongs to no member.";

export const currentSession = Type.Object(
  {
    account: Type.Object({ id: Type.String(), name: Type.String() }),
    operator: Type.Boolean({ description: "Whether the account is the operator's account." }),
    faults: Type.Boolean({ description: "Whether the account can switch faults for tests." }),
    key: sessionKey,
    proxyDomain: Type.Union([Type.String(), Type.Null()], {
      description:
        "The parent domain of Pods' pages: <podId>-<port>.<proxyDomain>. Null if the caller reaches none.",
    }),
    proxyUrl: Type.Union([Type.String(), Type.Null()], {
      description:
        "Where Pods' pages are by path, <proxyUrl>/<podId>/<port>/, for a caller that no proxyDomain " +
        "leads here; null otherwise, and if the proxy's own listener is on loopback.",
    }),
    s3Url: Type.Union([Type.String(), Type.Null()], {
      description: "The address for S3 clients; null if the S3 interface is off.",
    }),
    memberId: Type.Optional(Type.String({ description: "The member that owns the key." })),
    role: Type.Optional(Type.String({ description: "The role of the member that owns the key." })),
    password: Type.Optional(
      Type.Union([Type.Object({ setAt: instant }), Type.Null()], {
        description: `The member's password. ${ofMember}`,
      }),
    ),
    totp: Type.Optional(
      Type.Union([Type.Object({ confirmedAt: instant }), Type.Null()], {
        description: `The member's one-time codes. ${ofMember}`,
      }),
    ),
    sessionId: Type.Optional(
      Type.String({ description: "The session's id, if the request has a session." }),
    ),
    expiresAt: Type.Optional(instant),
  },
  { title: "Self" },
);
export type Self = Static<typeof currentSession>;

const session = Type.Object(
  {
    id: Type.String(),
    key: Type.Object({ id: Type.String(), name: Type.String(), hint: Type.String() }),
    agent: Type.String({ description: "The browser's User-Agent." }),
    address: Type.String({
      description: "The address that it signed in from; empty for a session of an earlier version.",
    }),
    createdAt: instant,
    expiresAt: instant,
    current: Type.Boolean({ description: "Whether it is the session of this request." }),
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
    summary: "Sign in with a key or a password",
    description:
      "Takes `key`, or `email` and `password`. Sets a cookie that scripts cannot read. A session of a key has the " +
      "permissions of the key and ends with it. Only pages of this service can use it.",
    needs: "nothing",
    body: signIn,
    answer: {
      status: 200,
      description: "The account, the key and the session.",
      schema: currentSession,
    },
  },
  getSelf: {
    method: "GET",
    path: "/v1/session",
    tag,
    summary: "Read the current session",
    needs: read,
    answer: {
      status: 200,
      description: "The account, the key and the session.",
      schema: currentSession,
    },
  },
  signOut: {
    method: "DELETE",
    path: "/v1/session",
    tag,
    summary: "Sign out",
    needs: read,
    answer: { status: 204, description: "The session is ended." },
  },
  listSessions: {
    method: "GET",
    path: "/v1/sessions",
    tag,
    summary: "List sessions",
    description:
      "Sessions of every key that the caller can see: the member's own keys, or all keys of the account.",
    needs: read,
    answer: {
      status: 200,
      description: "The sessions, newest first.",
      schema: Type.Array(session),
    },
  },
  endSession: {
    method: "DELETE",
    path: "/v1/sessions/{sessionId}",
    tag,
    summary: "End a session",
    needs: { of: "rest", access: "write", area: "own" },
    answer: { status: 204, description: "The session is ended." },
  },
} as const satisfies Operations;
