// Routes of /v1/session and /v1/sessions.

import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import { type Session, sessionOperations } from "../../../contract/rest-v1/account/session.ts";
import { Fault } from "../../../domain/fault.ts";
import type { PasswordDeps } from "../../../flows/password/passwords.ts";
import { type SignInSource, signInWithPassword } from "../../../flows/password/sign-in.ts";
import { endSession, signOut } from "../../../flows/session/end.ts";
import { sessionsOf } from "../../../flows/session/read.ts";
import { type SignedIn, type SignInDeps, signIn } from "../../../flows/session/sign-in.ts";
import { requireOwnPage } from "../../http/auth/own-page.ts";
import { setSessionCookie } from "../../http/auth/session-cookie.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { readSelf, type SelfDeps, sessionOf } from "./self.ts";
import { signInSourceOf } from "./sign-in-source.ts";

type Deps = SignInDeps & PasswordDeps & SelfDeps;

export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, sessionOperations, {
    async signIn({ body: { key, email, password, code, accountId, ...rest }, reply }) {
      rest satisfies Record<string, never>;
      const { request } = reply;
      if (request.headers.origin !== undefined) requireOwnPage(request);
      const entry = { key, email, password, code, accountId };
      const { session, ...opened } = await enter(deps, entry, signInSourceOf(request));
      setSessionCookie(reply, opened.secret, session.expiresAt - session.createdAt);
      return readSelf(deps, opened.key, session, request);
    },
    getSelf: ({ key, reply }) => readSelf(deps, key, sessionOf(reply.request), reply.request),
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

type Body = Static<typeof sessionOperations.signIn.body>;
type Entry = { [Field in keyof Body]: Body[Field] | undefined };

function enter(deps: Deps, entry: Entry, signInSource: SignInSource): Promise<SignedIn> {
  const { key, email, password, code, accountId } = entry;
  const others = [email, password, code, accountId].filter((each) => each !== undefined);
  if (key !== undefined && others.length === 0) return signIn(deps, { key, ...signInSource });
  if (key === undefined && email !== undefined && password !== undefined) {
    return signInWithPassword(deps, { email, password, code, accountId, ...signInSource });
  }
  const detail = 'Sign in with a "key" alone, or with "email" and "password".';
  throw new Fault("invalid_body", { detail });
}
