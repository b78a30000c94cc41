// Bodies of the management interface: JSON whatever the content type says, and none at all where it
// is empty, whatever the method; clients announce JSON on requests that carry nothing.

import type { FastifyInstance } from "fastify";
import { Fault } from "../../domain/fault.ts";

export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, text, done) => {
    if (text.length === 0) return done(null, undefined);
    try {
      done(null, JSON.parse(text as string));
    } catch (error) {
      const detail = `The body is not valid JSON: ${(error as Error).message}`;
      done(new Fault("invalid_json", { detail }));
    }
  });
}
