// Media types of bodies. A body is read as JSON, whatever its media type says, unless it says that its bytes are
// something else.

import type { IncomingHttpHeaders } from "node:http";
import { Fault } from "../../../domain/fault.ts";

/** A type and a subtype, with or without parameters, as RFC 9110 has them. */
const READABLE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Removes a media type such as `json`, which Fastify refuses before any parser sees the body. */
export function dropUnreadableType(headers: IncomingHttpHeaders): void {
  const type = headers["content-type"];
  if (type !== undefined && !READABLE.test(type)) delete headers["content-type"];
}

/** The refusal of a body whose headers say that it is not JSON. */
export function refusedType(headers: IncomingHttpHeaders): Fault | null {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity" && encoding.trim() !== "") {
    const detail = `The body has the content encoding ${encoding.slice(0, 60)}; it must be JSON without a content encoding`;
    return new Fault("body_type_not_taken", { detail });
  }
  const type = headers["content-type"] ?? "";
  if (!/^\s*multipart\//i.test(type)) return null;
  const detail = `The body has the media type ${type.split(";")[0]!.trim().slice(0, 60)}; it must be JSON, application/json`;
  return new Fault("body_type_not_taken", { detail });
}
