// The S3 operations below /s3/ of the service's own address, for callers with an API key or a session in
// place of a signature: the console and the command line.

import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiKey } from "../../domain/account.ts";
import type { S3Key } from "../../domain/s3/s3-key.ts";
import type { RateLimits } from "../../flows/rate-limits.ts";
import { stripOrigin } from "../http/normalize-url.ts";
import { limitRates } from "../http/routes/rate-limit.ts";
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

export function ownS3Routes(deps: ServeDeps & { rates: RateLimits }) {
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
  deps: ServeDeps,
  request: FastifyRequest,
  response: ServerResponse,
): Promise<void> {
  const { raw: message, originalUrl } = request;
  for (const [name, value] of Object.entries(FILE_HEADERS)) response.setHeader(name, value);
  // The listener has already told the client to continue.
  delete message.headers.expect;
  const { serve } = await import("./serve.ts");
  const url = stripOrigin(originalUrl).replace(SENT_PREFIX, "");
  await serve(deps, { message, response, url, authenticate: callerOf(request) });
}

function callerOf({ principal }: FastifyRequest) {
  return async (request: S3Request): Promise<Authenticated> => {
    if (principal?.kind !== "account") throw new Error("the route takes keys of accounts only");
    const payloadHash = request.header("x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD";
    return { key: asS3Key(principal.key), payloadHash, signing: null };
  };
}

/** An API key opens all volumes, with its access to the management interface. */
function asS3Key({ id, accountId, member, name, permissions, createdAt }: ApiKey): S3Key {
  const access = permissions.rest === "write" ? "write" : "read";
  const none = { secret: "", volumeIds: null, lastUsedAt: null };
  return { ...none, id, accountId, member, name, access, createdAt };
}
