// Routes of members' passwords, reset links and one-time codes.

import type { FastifyInstance } from "fastify";
import { passwordOperations } from "../../../contract/rest-v1/password/password.ts";
import { totpOperations } from "../../../contract/rest-v1/password/totp.ts";
import { removePasswordOf, setOwnPassword } from "../../../flows/password/change.ts";
import type { PasswordDeps } from "../../../flows/password/passwords.ts";
import { makeReset, setByReset } from "../../../flows/password/reset.ts";
import { beginCodes, confirmCodes, removeCodes } from "../../../flows/password/totp.ts";
import { requireOwnPage } from "../../http/auth/own-page.ts";
import { setSessionCookie } from "../../http/auth/session-cookie.ts";
import { instant } from "../../management/serve/instant.ts";
import { originFor } from "../../management/serve/origin.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { readSelf, type SelfDeps, sessionOf } from "./self.ts";
import { signInSourceOf } from "./sign-in-source.ts";

type Deps = PasswordDeps & SelfDeps;

export function passwordRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, passwordOperations, {
    async setPassword({ key: by, body: { password, current, ...rest }, reply: { request } }) {
      rest satisfies Record<string, never>;
      const caller = { by, session: sessionOf(request), address: request.ip };
      const { setAt } = await setOwnPassword(deps, caller, { password, current });
      return { setAt: instant(setAt) };
    },
    removePassword: ({ key }) => removePasswordOf(deps, key),
    async createPasswordReset({ key: by, params, body, reply }) {
      const { removeTotp = false, ...rest } = body;
      rest satisfies Record<string, never>;
      const origin = originFor(deps, reply.request);
      // The token is in the fragment, which browsers do not send and servers do not log.
      const urlWith = (token: string) => `${origin}/password-reset#token=${token}`;
      const link = await makeReset(deps, { by, memberId: params.memberId, removeTotp, urlWith });
      return { ...link, expiresAt: instant(link.expiresAt) };
    },
    async usePasswordReset({ body: { token, password, code, ...rest }, reply }) {
      rest satisfies Record<string, never>;
      const { request } = reply;
      if (request.headers.origin !== undefined) requireOwnPage(request);
      const use = { token, password, code, ...signInSourceOf(request) };
      const { session, key, secret } = await setByReset(deps, use);
      setSessionCookie(reply, secret, session.expiresAt - session.createdAt);
      return readSelf(deps, key, session, request);
    },
  });
  serveOperations(app, totpOperations, {
    beginTotp: ({ key }) => beginCodes(deps, key),
    async confirmTotp({ key, body: { code, ...rest }, reply }) {
      rest satisfies Record<string, never>;
      return { recoveryCodes: await confirmCodes(deps, key, code, reply.request.ip) };
    },
    async removeTotp({ key, body: { code, password, ...rest }, reply }) {
      rest satisfies Record<string, never>;
      await removeCodes(deps, key, { code, password }, reply.request.ip);
    },
  });
}
