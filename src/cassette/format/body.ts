// Bodies of requests and answers: bytes on the wire, and JSON, text or base64 in a cassette.

import { isUtf8 } from "node:buffer";
import { parseExact } from "../../base/json/exact.ts";
import type { RecordedBody } from "./cassette.ts";

/** Undefined for an empty body. Workers post JSON as a form, so the content decides and not its type. */
export function bodyOf(bytes: Buffer): RecordedBody | undefined {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) return { base64: bytes.toString("base64") };
  const text = bytes.toString("utf8");
  const json = documentIn(text);
  return json === undefined ? { text } : { json };
}

export function bytesOf(body: RecordedBody | undefined): Buffer {
  if (!body) return Buffer.alloc(0);
  if ("json" in body) return Buffer.from(JSON.stringify(body.json));
  return "text" in body ? Buffer.from(body.text) : Buffer.from(body.base64, "base64");
}

/** Applies `change` to every value, from the outside in, until it returns something other than undefined. */
export type BodyChange = (value: unknown, member: string) => unknown;

export function changeBody(body: RecordedBody, change: BodyChange): RecordedBody {
  if ("json" in body) return { json: changeValue(body.json, change) };
  if (!("text" in body)) return body;
  const lines = body.text.split("\n").map((line) => changeLine(line, change));
  return { text: lines.join("\n") };
}

function changeValue(value: unknown, change: BodyChange, member = ""): unknown {
  const changed = change(value, member);
  if (changed !== undefined) return changed;
  // The items of a list have the meaning of the list's member: `podIds`.
  if (Array.isArray(value)) return value.map((each) => changeValue(each, change, member));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, changeValue(each, change, name)]),
  );
}

/** A stream of events or of JSON Lines has a document per line. */
function changeLine(line: string, change: BodyChange): string {
  const [, prefix = "", rest = ""] = /^(data: ?)?(.*)$/s.exec(line)!;
  const json = documentIn(rest);
  if (json === undefined) return String(change(line, "") ?? line);
  return prefix + JSON.stringify(changeValue(json, change));
}

/** A number that JavaScript cannot hold is an object as well, and stays as it is. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !isRawNumber(value);
}

export function isRawNumber(value: unknown): boolean {
  return (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value);
}

/** An object or a list; undefined if the text is neither. */
function documentIn(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
