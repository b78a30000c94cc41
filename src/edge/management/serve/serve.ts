// Routes from operations. A route validates what its operation declares, and an operation without a
// handler does not compile.

import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import { ID_PATTERN } from "../../../base/ids.ts";
import type { Vault } from "../../../base/vault.ts";
import type { Operation, Operations, ParamsOf } from "../../../contract/operation.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import type { IdempotencyKey } from "../../../domain/idempotency-key.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import { routePath } from "../../http/route-table.ts";
import { bodyReader } from "./read-body.ts";
import { queryReader } from "./read-query.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Computes the fingerprints of requests with an Idempotency-Key. */
    vault: Vault;
  }
}

/** One request to an operation, validated. */
export interface OperationRequest<Op extends Operation> {
  accountId: string;
  key: ApiKey;
  params: ParamsOf<Op["path"]>;
  query: Op extends { query: infer Query extends TSchema } ? Static<Query> : unknown;
  body: Op extends { body: infer Body extends TSchema } ? Static<Body> : undefined;
  /** The Idempotency-Key, if the operation takes one and the client sent one. */
  once: IdempotencyKey | null;
  reply: FastifyReply;
}

type Handler<Op extends Operation> = (request: OperationRequest<Op>) => Promise<AnswerOf<Op>>;

/** The handler's result: a value of the response schema, or the reply if the handler sent it itself. */
type AnswerOf<Op extends Operation> = Op["answer"] extends { schema: infer Body extends TSchema }
  ? Static<Body> | FastifyReply
  : Op["answer"] extends { mediaType: string }
    ? FastifyReply
    : unknown;

export type Handlers<Ops extends Operations> = { [Name in keyof Ops]: Handler<Ops[Name]> };

/** How an interface validates requests. Each function throws the fault of its interface. */
export interface RequestReaders {
  params(operation: Operation): (params: Record<string, string>) => void;
  query(schema: TObject): (query: Record<string, string>) => Record<string, unknown>;
  body(schema: TSchema, responseSchema: TSchema | undefined): (body: unknown) => unknown;
}

const restV1: RequestReaders = {
  params: () => requireIds,
  query: queryReader,
  body: bodyReader,
};

export function serveOperations<const Ops extends Operations>(
  app: FastifyInstance,
  operations: Ops,
  handlers: Handlers<Ops>,
  readers = restV1,
): void {
  for (const [name, operation] of Object.entries(operations)) {
    const handler = handlers[name as keyof Ops] as Handler<Operation>;
    const handle = handlerFor(app, operation, handler, readers);
    for (const { method, path } of [operation, ...(operation.also ?? [])]) {
      const url = routePath(path);
      const { needs, faultStatuses } = operation;
      const config = {
        needs,
        ...(isChange(operation) && { changes: name }),
        ...(faultStatuses && { faultStatuses }),
      };
      // Link checkers ask with HEAD for the pages that need no key.
      const exposeHeadRoute = method === "GET" && needs === "nothing";
      app.route({ method: method as HTTPMethods, url, config, handler: handle, exposeHeadRoute });
    }
  }
}

/** Whether the audit log records the operation. Jobs have their own history. */
function isChange({ needs }: Operation): boolean {
  return needs !== "nothing" && needs.of === "rest" && needs.access === "write";
}

function handlerFor(
  app: FastifyInstance,
  operation: Operation,
  handler: Handler<Operation>,
  readers: RequestReaders,
) {
  const { schema } = operation.answer;
  const readBody = operation.body ? readers.body(operation.body, schema) : () => undefined;
  const readQuery = operation.query ? readers.query(operation.query) : () => ({});
  const readParams = readers.params(operation);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    readParams(request.params as Record<string, string>);
    const body = readBody(request.body);
    const { principal } = request;
    const key = principal?.kind === "account" ? principal.key : anonymousKey;
    const answer = await handler({
      key,
      accountId: principal?.kind === "pod" ? principal.pod.accountId : key.accountId,
      params: request.params,
      query: readQuery(request.query as Record<string, string>),
      body: body as undefined,
      once: operation.once
        ? readIdempotencyKey(app.vault, request, () => JSON.stringify(body ?? null))
        : null,
      reply,
    });
    // The handler sent the reply itself.
    if (reply.sent) return reply;
    if (operation.answer.status === 204 || (operation.alsoNoContent && answer === undefined)) {
      return reply.code(204).send();
    }
    return reply.code(operation.answer.status).send(answer);
  };
}

/** The key of requests without an account's key. Such operations check no permissions. */
const anonymousKey: ApiKey = {
  id: "",
  accountId: "",
  name: "",
  hint: "",
  member: null,
  permissions: { rest: "none", graphql: "none", queue: "none", endpoints: null },
  createdAt: 0,
  disabledAt: null,
};

function requireIds(params: Record<string, string>): void {
  for (const [name, id] of Object.entries(params)) {
    if (ID_PATTERN.test(id)) continue;
    const noun = name === "id" ? "resource" : name.replace(/Id$/, "").replace(/[A-Z]/g, inWords);
    throw new Fault("invalid_id", { noun, id: id.slice(0, 80) });
  }
}

/** Replaces the capitals of "networkVolume" to make "network volume". */
const inWords = (capital: string) => ` ${capital.toLowerCase()}`;
