// The header fields of plain requests. A client repeats most of them from request to request, so they are read once.

import type { IncomingHttpHeaders } from "node:http";
import { parseFields } from "./header-fields.ts";

export interface PlainFields {
  /** Each name occurs once. */
  headers: Readonly<IncomingHttpHeaders>;
  rawHeaders: readonly string[];
}

const MAX_FIELDS = 100;
const CONNECTION = /^(?:keep-alive|close)$/i;

/** They change how the connection or the body is read, or may occur twice. */
const UNUSUAL = new Set(["transfer-encoding", "expect", "upgrade", "trailer", "set-cookie"]);

/** Fields by their text. */
const known = new Map<string, PlainFields>();
let knownBytes = 0;
const MAX_KNOWN_BYTES = 524_288;

/** Null if the fields are not plain. */
export function readPlainFields(text: string): PlainFields | null {
  const found = known.get(text);
  if (found !== undefined) return found;
  const rawHeaders = parseFields(text);
  if (rawHeaders === null || rawHeaders.length > 2 * MAX_FIELDS) return null;
  const headers = headersOf(rawHeaders);
  if (headers?.host === undefined) return null;
  const fields = { headers, rawHeaders };
  remember(text, fields);
  return fields;
}

function remember(text: string, fields: PlainFields): void {
  knownBytes += text.length;
  if (knownBytes > MAX_KNOWN_BYTES) {
    known.clear();
    knownBytes = text.length;
  }
  known.set(text, fields);
}

/** Null if a name occurs twice or is unusual. */
function headersOf(rawHeaders: readonly string[]): IncomingHttpHeaders | null {
  const headers: IncomingHttpHeaders = Object.create(null);
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!.toLowerCase();
    if (headers[name] !== undefined || UNUSUAL.has(name)) return null;
    headers[name] = rawHeaders[n + 1]!;
  }
  const { connection } = headers;
  return connection === undefined || CONNECTION.test(connection) ? headers : null;
}
