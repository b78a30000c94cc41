// The routes that describe the REST interface: /v1, /v1/openapi.json and /v1/docs.

import type { FastifyInstance } from "fastify";
import { openapi } from "../../../contract/openapi.ts";
import { referenceOperations } from "../../../contract/rest-v1/observe/reference.ts";
import { type Catalog, catalogNames, idsOf } from "../../../domain/catalog/catalog.ts";
import { Fault } from "../../../domain/fault.ts";
import { OPEN_GET } from "../../http/request/open-get.ts";
import { documentHandlers } from "../../management/docs/handlers.ts";
import { docsAssets } from "../../management/docs/page.ts";
import { serveOperations } from "../../management/serve/serve.ts";

export function referenceRoutes(app: FastifyInstance, { catalog }: { catalog: Catalog }): void {
  const handlers = documentHandlers(
    "v1",
    () => openapi(catalogNames(catalog)),
    () => idsOf(catalog.gpuTypes).join("\n"),
  );
  serveOperations(app, referenceOperations, {
    ...handlers,
    async getIndex() {
      const { title: name, version } = (await handlers.getOpenapi()).info;
      return { name, version, openapi: "/v1/openapi.json", docs: "/v1/docs" };
    },
  });
  app.get("/v1/docs/:file", OPEN_GET, async (request, reply) => {
    const { file } = request.params as { file: string };
    const path = "/v1/docs/:file";
    if (!docsAssets.has(file)) throw new Fault("route_not_found", { method: "GET", path });
    return docsAssets.send(reply, file);
  });
}
