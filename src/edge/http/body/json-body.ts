// The body parser of the management API. Every body is parsed as JSON, whatever its content type; an
// empty body counts as no body, because clients send a JSON content type without a body.

import type { FastifyInstance } from "fastify";
import { parseJson } from "../../../base/json/parse.ts";
import { Fault } from "../../../domain/fault.ts";
import { type BodyReader, type BodyRooms, receiveBody, tooLarge } from "./receive.ts";

export function addJsonBodyParser(app: FastifyInstance, rooms: BodyRooms): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, payload, done) => {
    receiveBody<{ value: unknown }>(
      request,
      payload,
      { rooms, reader: jsonReader() },
      (error, body) => {
        if (error || !body) return done(error);
        if ("tooLarge" in body) return done(tooLarge(request));
        done(null, body.value);
      },
    );
  });
}

function jsonReader(): BodyReader<{ value: unknown }> {
  const chunks: Buffer[] = [];
  return {
    feed: (chunk) => void chunks.push(chunk),
    end() {
      try {
        return { value: parseJson(Buffer.concat(chunks).toString("utf8")) };
      } catch (error) {
        const detail = `The body is not valid JSON: ${(error as Error).message}`;
        throw new Fault("invalid_json", { detail });
      }
    },
  };
}

/** Discards bodies, where no route is expected to read one. */
export function discardBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume();
    done(null);
  });
}
