// The headers that name a Flash function, in calls whose address names no endpoint.

import type { IncomingHttpHeaders } from "node:http";
import { Fault } from "../../../domain/fault.ts";
import type { FlashFunction } from "../../../flows/flash-app/find-endpoint.ts";

const HEADERS = {
  app: "X-Flash-App",
  environment: "X-Flash-Environment",
  name: "X-Flash-Endpoint",
};

/** Throws if a header is missing. */
export function flashFunctionOf(headers: IncomingHttpHeaders): FlashFunction {
  const read = (name: string) => headerOf(headers, name);
  return {
    app: read(HEADERS.app),
    environment: read(HEADERS.environment),
    name: read(HEADERS.name),
  };
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name.toLowerCase()];
  if (typeof value === "string" && value !== "") return value;
  const all = Object.values(HEADERS).join(", ");
  const detail = `A call of a Flash function needs the headers ${all}; ${name} is missing.`;
  throw new Fault("invalid_body", { detail });
}
