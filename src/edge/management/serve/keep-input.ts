// Bodies of the management API with an input for jobs. The input is kept as the client wrote it, because a parsed
// one would lose digits of long integers; the rest is validated as in any other body.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { KeyTable } from "../../../base/json/keys.ts";
import { addRawBodyParser, rawBody } from "../../http/body/raw-body.ts";
import type { BodyRooms } from "../../http/body/receive.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The JSON text of the body's member "input"; null without one. */
    inputText: string | null;
  }
}

/** Applies to the routes of the scope. */
export function keepInput(app: FastifyInstance, rooms: BodyRooms): void {
  app.decorateRequest("inputText", null);
  addRawBodyParser(app, { keys: new KeyTable(["input"]), lenient: false, rooms });
  app.addHook("preValidation", async (request: FastifyRequest) => {
    const { scanned } = rawBody(request);
    const input = scanned.members.get("input");
    request.inputText = input ? scanned.body.cut(input).toString("utf8") : null;
    request.body = JSON.parse(scanned.body.cut(scanned).toString("utf8"));
  });
}
