// Routes of /v1/session and /v1/sessions.

import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  type Self,
  type Session,
  sessionOperations,
} from "../../../contract/rest-v1/account/session.ts";
import type { ApiKey } from "../../../domain/account.ts";
import type { Session as StoredSession } from "../../../domain/session.ts";
import { endSession, signOut } from "../../../flows/session/end.ts";
import { selfOf, sessionsOf } from "../../../flows/session/read.ts";
import { type SignInDeps, signIn } from "../../../flows/session/sign-in.ts";
import type { Troubles } from "../../../flows/trouble/troubles.ts";
import { requireOwnPage } from "../../http/auth/own-page.ts";
import { sessionNetworkOf, setSessionCookie } from "../../http/auth/session-cookie.ts";
import type { Addresses } from "../../management/deps.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { isOwnName } from "../../proxy/pod-pages.ts";

interface Deps extends SignInDeps, Pick<Addresses, "podPages" | "publicUrl" | "s3Url"> {
  /** Null if this service allows none. */
  troubles: Troubles | null;
}

export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  const readSelf = async (
    key: ApiKey,
    session: StoredSession | null,
    { protocol, host, hostname }: FastifyRequest,
  ) => {
    const { id, accountId, name, hint, permissions, member } = key;
    const { account, operator } = await selfOf(deps, accountId);
    const own = session && { sessionId: session.id, expiresAt: instant(session.expiresAt) };
    const self: Self = {
      account: { id: account.id, name: account.name },
      operator,
      faults: operator && deps.troubles !== null && !deps.troubles.isForbidden,
      key: { id, name, hint, permissions },
      // The public URL may lead elsewhere from the machine itself.
      ...deps.podPages((!isOwnName(hostname) && deps.publicUrl) || `${protocol}://${host}`),
      s3Url: deps.s3Url(),
      ...(member && { memberId: member.id, role: member.role }),
      ...own,
    };
    return self;
  };

  serveOperations(app, sessionOperations, {
    async signIn({ body: { key: secretKey, ...rest }, reply }) {
      rest satisfies Record<string, never>;
      const { headers } = reply.request;
      if (headers.origin !== undefined) requireOwnPage(reply.request);
      const agent = headers["user-agent"] ?? "";
      const { ip: address } = reply.request;
      const network = sessionNetworkOf(reply.request);
      const request = { key: secretKey, agent, address, network };
      const { session, key, secret } = await signIn(deps, request);
      setSessionCookie(reply, secret, session.expiresAt - session.createdAt);
      return readSelf(key, session, reply.request);
    },
    getSelf: ({ key, reply }) => readSelf(key, sessionOf(reply.request), reply.request),
    async signOut({ reply }) {
      const session = sessionOf(reply.request);
      if (session) await signOut(deps, session);
      setSessionCookie(reply, "", 0);
    },
    async listSessions({ key: by, reply }) {
      const currentId = sessionOf(reply.request)?.id;
      const sessions = await sessionsOf(deps, by);
      return sessions.map(({ session, key }): Session => {
        const { id, agent, address, createdAt, expiresAt } = session;
        return {
          id,
          key: { id: key.id, name: key.name, hint: key.hint },
          agent,
          address,
          createdAt: instant(createdAt),
          expiresAt: instant(expiresAt),
          current: id === currentId,
        };
      });
    },
    endSession: ({ key, params }) => endSession(deps, key, params.sessionId),
  });
}

function sessionOf({ principal }: FastifyRequest): StoredSession | null {
  return principal?.kind === "account" ? principal.session : null;
}
