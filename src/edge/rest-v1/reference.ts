// /v1, /v1/openapi.json and /v1/docs.

import type { FastifyInstance } from "fastify";
import { openapi } from "../../contract/openapi.ts";
import { referenceOperations } from "../../contract/rest-v1/reference.ts";
import { docsPage, docsPolicy } from "./docs/page.ts";
import { serve } from "./serve.ts";

/** Written when they are first asked for, and never again. */
let document: ReturnType<typeof openapi> | null = null;
let page: string | null = null;
const theDocument = () => (document ??= openapi());
const thePage = () => (page ??= docsPage(theDocument()));

export function referenceRoutes(app: FastifyInstance): void {
  serve(app, referenceOperations, {
    getIndex: async () => {
      const { title: name, version } = theDocument().info;
      return { name, version, openapi: "/v1/openapi.json", docs: "/v1/docs" };
    },
    getOpenapi: async () => theDocument(),
    async getDocs({ reply }) {
      reply.header("content-security-policy", docsPolicy);
      return reply.type("text/html; charset=utf-8").send(thePage());
    },
  });
}
