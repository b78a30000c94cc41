// The handlers of a version's OpenAPI document and of the page that shows it.

import type { FastifyReply } from "fastify";
import type { OpenapiDocument } from "../../../contract/openapi-document.ts";
import { docsPage, docsPolicy, type Version } from "./page.ts";

/** The document is built with the first request, and anew once `revision` returns another text. */
export function documentHandlers(
  version: Version,
  build: () => OpenapiDocument,
  revision = () => "",
) {
  let built: { document: OpenapiDocument; revision: string } | null = null;
  return {
    async getOpenapi() {
      const current = revision();
      if (built?.revision !== current) built = { document: build(), revision: current };
      return built.document;
    },
    async getDocs({ reply }: { reply: FastifyReply }) {
      reply.header("content-security-policy", docsPolicy);
      return reply.type("text/html; charset=utf-8").send(docsPage(version));
    },
  };
}
