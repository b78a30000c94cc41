// /v1, /v1/openapi.json and /v1/docs.

import type { FastifyInstance } from "fastify";
import { openapi } from "../../contract/openapi.ts";
import { referenceOperations } from "../../contract/rest-v1/reference.ts";
import { docsPage, docsPolicy } from "./docs/page.ts";
import { serve } from "./serve.ts";

export function referenceRoutes(app: FastifyInstance): void {
  const document = openapi();
  const page = docsPage(document);

  serve(app, referenceOperations, {
    getIndex: async () => {
      const { title: name, version } = document.info;
      return { name, version, openapi: "/v1/openapi.json", docs: "/v1/docs" };
    },
    getOpenapi: async () => document,
    async getDocs({ reply }) {
      reply.header("content-security-policy", docsPolicy);
      return reply.type("text/html; charset=utf-8").send(page);
    },
  });
}
