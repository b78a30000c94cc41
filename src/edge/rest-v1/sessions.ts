// /v1/session and /v1/sessions.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Self, type Session, sessionOperations } from "../../contract/rest-v1/session.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { Session as Kept } from "../../domain/session.ts";
import { endSession, signOut } from "../../flows/session/end.ts";
import { selfOf, sessionsOf } from "../../flows/session/read.ts";
import { signIn } from "../../flows/session/sign-in.ts";
import { mustBeOwnPage } from "../http/own-page.ts";
import { setSession } from "../http/session-cookie.ts";
import { USUAL_DOMAIN } from "../proxy/address.ts";
import type { RestDeps } from "./deps.ts";
import { instant } from "./instant.ts";
import { serve } from "./serve.ts";

export function sessionRoutes(app: FastifyInstance, deps: RestDeps): void {
  const self = async (asking: ApiKey, session: Kept | null) => {
    const { id, accountId, name, hint, permissions, member } = asking;
    const { account, operator } = await selfOf(deps, accountId);
    const own = session && { sessionId: session.id, expiresAt: instant(session.expiresAt) };
    const read: Self = {
      account: { id: account.id, name: account.name },
      operator,
      key: { id, name, hint, permissions },
      proxyDomain: deps.proxyDomain ?? USUAL_DOMAIN,
      ...(member && { role: member.role }),
      ...own,
    };
    return read;
  };

  serve(app, sessionOperations, {
    async signIn({ body, reply }) {
      const { headers } = reply.request;
      if (headers.origin !== undefined) mustBeOwnPage(reply.request);
      const agent = headers["user-agent"] ?? "";
      const { session, key, secret } = await signIn(deps, { key: body.key, agent });
      setSession(reply, secret, session.expiresAt - session.createdAt);
      return self(key, session);
    },
    getSelf: ({ key, reply }) => self(key, sessionOf(reply.request)),
    async signOut({ reply }) {
      const session = sessionOf(reply.request);
      if (session) await signOut(deps, session);
      setSession(reply, "", 0);
    },
    async listSessions({ key: by, reply }) {
      const own = sessionOf(reply.request)?.id;
      const all = await sessionsOf(deps, by);
      return all.map(({ session, key }): Session => {
        const { id, agent, createdAt, expiresAt } = session;
        return {
          id,
          key: { id: key.id, name: key.name, hint: key.hint },
          agent,
          createdAt: instant(createdAt),
          expiresAt: instant(expiresAt),
          current: id === own,
        };
      });
    },
    endSession: ({ key, params }) => endSession(deps, key, params.sessionId),
  });
}

function sessionOf({ holder }: FastifyRequest): Kept | null {
  return holder?.kind === "account" ? holder.session : null;
}
