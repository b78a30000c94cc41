// The routes that describe REST v2: /v2/openapi.json and /v2/docs.

import type { FastifyInstance } from "fastify";
import { documentOperations } from "../../../contract/reference.ts";
import { openapiV2 } from "../../../contract/rest-v2/openapi.ts";
import { OPEN_GET } from "../../http/request/open-get.ts";
import { documentHandlers } from "../../management/docs/handlers.ts";
import { docsScript } from "../../management/docs/page.ts";
import { serveRestV2 } from "../serve/serve.ts";

export function referenceRoutes(app: FastifyInstance): void {
  serveRestV2(app, documentOperations("v2"), documentHandlers("v2", openapiV2));
  app.get("/v2/docs/start.js", OPEN_GET, async (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").send(docsScript("v2")),
  );
}
