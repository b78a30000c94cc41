// The queue's routes on plain Fastify, with the validation and authentication that any such service needs. The peers
// without Freehold share them and differ in their queue only.
import { hash, randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { JobResult, Queue, SubmittedJob } from "./queues/queue.ts";

const TAKE_HOLD_MS = 20_000;
const RUNSYNC_HOLD_MS = 90_000;
const id = { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" } as const;

const submission = {
  type: "object",
  required: ["input"],
  properties: {
    input: { type: "object" },
    webhook: { type: "string", maxLength: 2048 },
    policy: {
      type: "object",
      properties: {
        executionTimeout: { type: "integer", minimum: 5_000, maximum: 604_800_000 },
        ttl: { type: "integer", minimum: 10_000, maximum: 604_800_000 },
        lowPriority: { type: "boolean" },
      },
    },
    s3Config: { type: "object" },
  },
} as const;

type Ids = { endpointId: string; workerId: string; jobId: string };
type Submission = { Params: Ids; Body: SubmittedJob };

/** `keys` maps the SHA-256 of a key, as hex, to the endpoint that it opens. */
export function buildRoutes(queue: Queue, keys: Map<string, string>): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: 20 * 1024 * 1024,
    routerOptions: { maxParamLength: 128 },
  });
  app.addHook("onRequest", authenticate(keys));
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    reply.code(error.statusCode ?? 500).send({ error: error.message });
  });
  clientRoutes(app, queue);
  app.register(async (scope) => workerRoutes(scope, queue));
  return app;
}

function authenticate(keys: Map<string, string>) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const header = request.headers.authorization ?? "";
    const key = header.startsWith("Bearer ") ? header.slice(7) : header;
    const endpointId = keys.get(hash("sha256", key, "hex"));
    if (endpointId === undefined) reply.code(401).send({ error: "The key is not known." });
    else if (endpointId !== (request.params as Ids).endpointId)
      reply.code(404).send({ error: "There is no such endpoint." });
    else done();
  };
}

function clientRoutes(app: FastifyInstance, queue: Queue): void {
  const params = (names: string[]) => ({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, id])),
  });
  const submit = { schema: { body: submission, params: params(["endpointId"]) } };
  app.post<Submission>("/v2/:endpointId/run", submit, async (request) => {
    const jobId = `${randomUUID()}-u1`;
    await queue.submit(jobId, request.body);
    return { id: jobId, status: "IN_QUEUE" };
  });
  app.post<Submission>("/v2/:endpointId/runsync", submit, async (request) => {
    return queue.submitAndWait(`sync-${randomUUID()}-u1`, request.body, RUNSYNC_HOLD_MS);
  });
  app.get<{ Params: Ids }>(
    "/v2/:endpointId/status/:jobId",
    { schema: { params: params(["endpointId", "jobId"]) } },
    async (request, reply) => {
      const view = await queue.view(request.params.jobId);
      return view ?? reply.code(404).send({ error: "There is no such job." });
    },
  );
}

function workerRoutes(app: FastifyInstance, queue: Queue): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.get<{ Params: Ids }>("/v2/:endpointId/job-take/:workerId", async (request, reply) => {
    const job = await queue.take(request.params.workerId, {
      ms: TAKE_HOLD_MS,
      onClose: (callback) => reply.raw.once("close", callback),
    });
    return job ?? reply.code(204).send();
  });
  app.post<{ Params: Ids; Body: string }>(
    "/v2/:endpointId/job-done/:workerId/:jobId",
    async (request, reply) => {
      const result: JobResult = JSON.parse(request.body);
      const finished = await queue.finish(request.params.jobId, result);
      return finished ? { ok: true } : reply.code(404).send({ error: "There is no such job." });
    },
  );
}
