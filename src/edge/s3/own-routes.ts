// The S3 operations below /s3/ of the service's own address, for callers with an API key or a session in
// place of a signature: the console and the command line.

import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiKey } from "../../domain/account.ts";
import { noLabels } from "../../domain/label/labels.ts";
import type { S3Key } from "../../domain/s3/s3-key.ts";
import type { AuthCache } from "../../flows/auth-cache.ts";
import type { RateLimits } from "../../flows/rate-limits.ts";
import { accessOf } from "../http/auth/revalidate.ts";
import { stripOrigin } from "../http/normalize-url.ts";
import { limitRates } from "../http/routes/rate-limit.ts";
import type { Addresses } from "../management/deps.ts";
import { originFor } from "../management/serve/origin.ts";
import type { ServeDeps } from "./serve.ts";
import type { Authenticated } from "./wire/authenticate.ts";
import type { S3Request } from "./wire/s3-request.ts";

const PREFIX = "/s3";
/** The prefix in the forms that clients send. It ends before the slash that the rest begins with: a key may begin with slashes. */
const SENT_PREFIX = /^\/+s3\/*(?=\/)/;

/** A file can be a web page, which must not act as a page of this service. */
const FILE_HEADERS = {
  "content-security-policy": "sandbox; default-src 'none'",
  "content-disposition": "attachment",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, no-cache",
};

interface OwnS3Deps extends ServeDeps, Pick<Addresses, "publicUrl"> {
  rates: RateLimits;
  authCache: AuthCache;
}

export function ownS3Routes(deps: OwnS3Deps) {
  return async (app: FastifyInstance): Promise<void> => {
    limitRates(app, deps.rates, () => "rest");
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const [pattern, methods] of Object.entries(methodsByPattern)) {
      for (const method of methods) {
        const config = { needs: { of: "rest", access: accessBy[method] } as const };
        const handler = async (request: FastifyRequest, reply: FastifyReply) => {
          reply.hijack();
          await answer(deps, request, reply.raw);
        };
        app.route({ method, url: PREFIX + pattern, config, handler });
      }
    }
  };
}

const methodsByPattern = {
  "/:networkVolumeId": ["GET", "HEAD", "POST"],
  "/:networkVolumeId/*": ["GET", "HEAD", "PUT", "POST", "DELETE"],
} as const;

const accessBy = {
  GET: "read",
  HEAD: "read",
  PUT: "write",
  POST: "write",
  DELETE: "write",
} as const;

async function answer(
  deps: OwnS3Deps,
  request: FastifyRequest,
  response: ServerResponse,
): Promise<void> {
  const { raw: message, originalUrl } = request;
  for (const [name, value] of Object.entries(FILE_HEADERS)) response.setHeader(name, value);
  // The listener has already told the client to continue.
  delete message.headers.expect;
  const { serveAuthenticated } = await import("./serve.ts");
  const url = stripOrigin(originalUrl).replace(SENT_PREFIX, "");
  await serveAuthenticated(deps, {
    message,
    response,
    origin: originFor(deps, request),
    url,
    authenticate: callerOf(deps, request),
  });
}

function callerOf(deps: OwnS3Deps, route: FastifyRequest) {
  return async (request: S3Request): Promise<Authenticated> => {
    const key = keyOf(route);
    const payloadHash = request.header("x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD";
    // The route admits no request without a credential.
    return { key, payloadHash, signing: null, access: accessOf(deps, route)! };
  };
}

function keyOf({ principal }: FastifyRequest): S3Key {
  if (principal?.kind !== "account") throw new Error("the route takes keys of accounts only");
  return asS3Key(principal.key);
}

/** An API key opens all volumes, with its access to the management interface. */
function asS3Key({ id, accountId, member, name, permissions, createdAt }: ApiKey): S3Key {
  const access = permissions.rest === "write" ? "write" : "read";
  const none = { secret: "", labels: noLabels, volumeIds: null, lastUsedAt: null };
  return { ...none, id, accountId, member, name, access, createdAt };
}
