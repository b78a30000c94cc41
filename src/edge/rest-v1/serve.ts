// Makes routes out of operations: each takes what its operation declares and nothing else, and an
// operation without a handler does not compile.

import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { Static, TSchema } from "typebox";
import { ID_PATTERN } from "../../base/ids.ts";
import type { Operation, Operations, ParamsOf } from "../../contract/operation.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Once } from "../../store/idempotency.ts";
import { onceOf } from "../http/once.ts";
import { bodyReader } from "./read-body.ts";
import { queryReader } from "./read-query.ts";

/** One request, read by what its operation declares. */
export interface Ask<Op extends Operation> {
  accountId: string;
  key: ApiKey;
  params: ParamsOf<Op["path"]>;
  query: Op extends { query: infer Query extends TSchema } ? Static<Query> : unknown;
  body: Op extends { body: infer Body extends TSchema } ? Static<Body> : undefined;
  /** The Idempotency-Key, where the operation takes one and the client sent one. */
  once: Once | null;
  reply: FastifyReply;
}

export type Handler<Op extends Operation> = (ask: Ask<Op>) => Promise<AnswerOf<Op>>;

/** What its schema says, or the reply where it was sent by hand; nothing where there is no body. */
type AnswerOf<Op extends Operation> = Op["answer"] extends { schema: infer Body extends TSchema }
  ? Static<Body> | FastifyReply
  : Op["answer"] extends { mediaType: string }
    ? FastifyReply
    : unknown;

export type Handlers<Ops extends Operations> = { [Name in keyof Ops]: Handler<Ops[Name]> };

export function serve<const Ops extends Operations>(
  app: FastifyInstance,
  operations: Ops,
  handlers: Handlers<Ops>,
): void {
  for (const [name, operation] of Object.entries(operations)) {
    const handle = handlerFor(operation, handlers[name as keyof Ops] as Handler<Operation>);
    for (const { method, path } of [operation, ...(operation.also ?? [])]) {
      const url = path.replace(/\{(\w+)\}/g, ":$1");
      const config = { needs: operation.needs, ...(isChange(operation) && { changes: name }) };
      app.route({ method: method as HTTPMethods, url, config, handler: handle });
    }
  }
}

/** What the audit log tells of; jobs have stories of their own. */
function isChange({ needs }: Operation): boolean {
  return needs !== "nobody" && needs.of === "rest" && needs.access === "write";
}

function handlerFor(operation: Operation, handler: Handler<Operation>) {
  const { schema } = operation.answer;
  const readBody = operation.body ? bodyReader(operation.body, schema) : () => undefined;
  const readQuery = operation.query ? queryReader(operation.query) : () => ({});
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    mustBeIds(request.params as Record<string, string>);
    const body = readBody(request.body);
    const { holder } = request;
    const key = holder?.kind === "account" ? holder.key : nobody;
    const answer = await handler({
      key,
      accountId: holder?.kind === "pod" ? holder.pod.accountId : key.accountId,
      params: request.params,
      query: readQuery(request.query as Record<string, string>),
      body: body as undefined,
      once: operation.once ? onceOf(request, () => JSON.stringify(body)) : null,
      reply,
    });
    // A reply is a promise of its own end: a handler that sent one itself has nothing left to answer.
    if (reply.sent) return reply;
    if (operation.answer.status === 204) return reply.code(204).send();
    return reply.code(operation.answer.status).send(answer);
  };
}

/** Who asks where no key is needed, or with a Pod's own: such an operation looks at no permission. */
const nobody: ApiKey = {
  id: "",
  accountId: "",
  name: "",
  hint: "",
  member: null,
  permissions: { rest: "none", graphql: "none", queue: "none", endpoints: null },
  createdAt: 0,
  disabledAt: null,
};

function mustBeIds(params: Record<string, string>): void {
  for (const [name, id] of Object.entries(params)) {
    if (ID_PATTERN.test(id)) continue;
    const noun = name === "id" ? "given" : name.replace(/Id$/, "").replace(/[A-Z]/g, inWords);
    throw new Fault("invalid_id", { noun, id: id.slice(0, 80) });
  }
}

/** "network volume" of networkVolume */
const inWords = (letter: string) => ` ${letter.toLowerCase()}`;
