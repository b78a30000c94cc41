// The handlers of a version's OpenAPI document and of the page that shows it.

import type { FastifyReply } from "fastify";
import type { OpenapiDocument } from "../../../contract/openapi-document.ts";
import { docsPage, docsPolicy, type Version } from "./page.ts";

/** The document is built with the first request and kept. */
export function documentHandlers(version: Version, build: () => OpenapiDocument) {
  let document: OpenapiDocument | null = null;
  return {
    async getOpenapi() {
      document ??= build();
      return document;
    },
    async getDocs({ reply }: { reply: FastifyReply }) {
      reply.header("content-security-policy", docsPolicy);
      return reply.type("text/html; charset=utf-8").send(docsPage(version));
    },
  };
}
