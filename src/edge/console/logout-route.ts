// The address at which the sign-in provider ends sessions by itself (OpenID Connect Back-Channel Logout 1.0). The log has
// the cause of a refusal; the answer is plain, because anyone can ask.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { limits } from "../../domain/protocol.ts";
import { LogoutRefusal, type LogoutRefusalCode } from "../../domain/sign-in/logout-refusal.ts";
import { type LogoutDeps, logOutByProvider } from "../../flows/sign-in/logout.ts";
import { type BodyRooms, receiveBody, tooLarge } from "../http/body/receive.ts";
import { asFault, sendFault } from "../http/faults.ts";

export interface LogoutRouteDeps extends LogoutDeps {
  bodyRooms: BodyRooms;
}

const PATH = "/oidc/back-channel-logout";

const config = { needs: "nothing" as const, bodyBytes: limits.keylessBodyBytes };

const descriptions: Record<LogoutRefusalCode, string> = {
  invalid_request: "The logout token is not valid. The service's log has the cause.",
  temporarily_unavailable: "The logout failed. The service's log has the cause.",
};

export function logoutRoute(deps: LogoutRouteDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    readForms(app, deps.bodyRooms);
    app.addHook("onRequest", async (_, reply) => void reply.header("cache-control", "no-store"));
    app.setErrorHandler((error, request, reply) => {
      if (!(error instanceof LogoutRefusal)) return sendFault(reply, asFault(error, request));
      const { code, message } = error;
      const address = request.ip;
      deps.log.warn({ problem: code, address }, `back-channel logout refused: ${message}`);
      return reply.code(400).send({ error: code, error_description: descriptions[code] });
    });
    app.post(PATH, { config }, async (request, reply) => {
      await logOutByProvider(deps, tokenIn(request));
      return reply.code(200).send();
    });
  };
}

/** Reads every body as a form; `request.body` is its text. */
function readForms(app: FastifyInstance, rooms: BodyRooms): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, payload, done) => {
    const chunks: Buffer[] = [];
    const reader = {
      feed: (chunk: Buffer) => void chunks.push(chunk),
      end: () => ({ form: Buffer.concat(chunks).toString("utf8") }),
    };
    receiveBody<{ form: string }>(request, payload, { rooms, reader }, (error, body) => {
      if (error || !body) return done(error);
      if ("tooLarge" in body) return done(tooLarge(request));
      done(null, body.form);
    });
  });
}

function tokenIn({ headers, body }: FastifyRequest): string {
  const type = headers["content-type"] ?? "";
  const isForm = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type);
  const tokens =
    isForm && typeof body === "string" ? new URLSearchParams(body).getAll("logout_token") : [];
  const [token, ...others] = tokens;
  if (token && others.length === 0) return token;
  const message =
    "the body is no form (application/x-www-form-urlencoded) with one field logout_token";
  throw new LogoutRefusal("invalid_request", message);
}
