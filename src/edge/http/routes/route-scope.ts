// Routes that share how bodies are read, what is checked before, and how errors are answered. They are declared once, and
// served by Fastify and to plain connections.

import type { FastifyInstance } from "fastify";
import type { RawBodyOptions } from "../body/raw-body.ts";
import { addRawBodyParser } from "../body/raw-body.ts";
import type { BodyPrecondition, Route, RouteHandler, RouteRefusal } from "../request/route.ts";

interface Options {
  config: Route["config"];
}

export class RouteScope {
  readonly routes: Route[] = [];
  readonly bodies: RawBodyOptions;
  readonly preconditions: readonly BodyPrecondition[];
  /** Null for the usual answer. */
  readonly refusal: RouteRefusal | null;

  constructor(scope: {
    bodies: RawBodyOptions;
    preconditions?: readonly BodyPrecondition[];
    refusal?: RouteRefusal;
  }) {
    this.bodies = scope.bodies;
    this.preconditions = scope.preconditions ?? [];
    this.refusal = scope.refusal ?? null;
  }

  get(path: string, { config }: Options, handler: RouteHandler): void {
    this.routes.push({ method: "GET", path, config, handler });
  }

  post(path: string, { config }: Options, handler: RouteHandler): void {
    this.routes.push({ method: "POST", path, config, handler });
  }

  /** Adds the routes to a scope of Fastify's. */
  register(app: FastifyInstance): void {
    for (const precondition of this.preconditions) addPrecondition(app, precondition);
    addRawBodyParser(app, this.bodies);
    const { refusal } = this;
    if (refusal) app.setErrorHandler((error, request, reply) => refusal(error, request, reply));
    for (const { method, path: url, config, handler } of this.routes)
      app.route({ method, url, config, handler });
  }
}

/** Adds a precondition to all routes of a scope of Fastify's. */
export function addPrecondition(app: FastifyInstance, precondition: BodyPrecondition): void {
  app.addHook("onRequest", (request, reply, done) => {
    try {
      const waiting = precondition(request, reply);
      if (waiting) waiting.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  });
}
