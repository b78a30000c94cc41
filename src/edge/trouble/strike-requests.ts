// Strikes requests with the troubles that are on, and with the one that a request names in its header. Every struck
// answer names its trouble in the same header.

import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";
import type { TroubleName } from "../../domain/trouble/catalog.ts";
import { troubleNamed } from "../../flows/trouble/switch.ts";
import type { Troubles } from "../../flows/trouble/troubles.ts";
import { dropBody } from "../http/body/receive.ts";
import { canStrike, requestTroubles, type TroubleAnswer } from "./request-troubles.ts";

const HEADER = "freehold-fault";

type Name = keyof typeof requestTroubles;
const names = Object.keys(requestTroubles) as Name[];

export function strikeRequests(app: FastifyInstance, troubles: Troubles): void {
  app.addHook("preHandler", (request, reply, done) => {
    if (isQuiet(troubles, request)) return done();
    try {
      refuse(troubles, request, reply);
      done();
    } catch (error) {
      dropBody(request);
      done(error as Fault);
    }
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (isQuiet(troubles, request) || reply.hasHeader(HEADER)) return done(null, payload);
    done(null, changed(troubles, request, reply, payload as string | Buffer | Readable | null));
  });
}

/** True for nearly every request: none is on, and the request names none. */
export const isQuiet = (troubles: Troubles, { headers }: Pick<FastifyRequest, "headers">) =>
  troubles.isForbidden || (!troubles.isAnyOn && headers[HEADER] === undefined);

function refuse(troubles: Troubles, request: FastifyRequest, reply: FastifyReply): void {
  requireOwn(request);
  for (const name of names) {
    const { refusal } = requestTroubles[name];
    if (refusal && strikes(troubles, name, request, reply)) throw refusal();
  }
}

function changed(
  troubles: Troubles,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string | Buffer | Readable | null,
) {
  for (const name of names) {
    const { change } = requestTroubles[name];
    if (!change || !canStrike(name, request)) continue;
    const answer = change(request, answerIn(reply, payload));
    if (!answer || !strikes(troubles, name, request, reply)) continue;
    if (payload !== null && typeof payload === "object" && "destroy" in payload) payload.destroy();
    reply.removeHeader("content-length");
    reply.code(answer.status).type(answer.type);
    return answer.body;
  }
  return payload;
}

function answerIn(reply: FastifyReply, payload: string | Buffer | Readable | null): TroubleAnswer {
  const isText = typeof payload === "string" || Buffer.isBuffer(payload);
  const type = String(reply.getHeader("content-type") ?? "");
  return { status: reply.statusCode, type, body: isText ? String(payload) : null };
}

function strikes(
  troubles: Troubles,
  name: Name,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  if (!canStrike(name, request)) return false;
  const subject = `${request.method} ${request.url.split("?", 1)[0]}`;
  if (request.headers[HEADER] === name) troubles.record(name, subject);
  else if (!troubles.strikes(name, subject)) return false;
  reply.header(HEADER, name);
  return true;
}

/** Throws if the request names a trouble that does not exist, or cannot strike it. */
function requireOwn(request: FastifyRequest): void {
  const named = request.headers[HEADER];
  if (named === undefined) return;
  const name: TroubleName = troubleNamed(String(named));
  if (!names.includes(name as Name) || !canStrike(name as Name, request))
    throw new Fault("fault_elsewhere", { name });
}
