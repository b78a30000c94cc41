// XML of the S3 interface.

import { XMLParser } from "fast-xml-parser";

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

const LISTED = new Set(["Object", "Part", "Contents", "CommonPrefixes", "Upload"]);

/** Keys may look like numbers, and begin or end with blanks. */
const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
  // Go writes a quotation mark as a numeric reference.
  htmlEntities: true,
  isArray: (name) => LISTED.has(name),
});

export interface Elements {
  readonly [name: string]: Content;
}
/** An element for each entry of a list; none for `undefined`. */
type Content = string | number | boolean | undefined | Elements | WrittenXml | readonly Content[];

/** A document without its XML declaration. */
export function buildXml(root: string, content: Elements): string {
  return `<${root} xmlns="${NAMESPACE}">${elements(content)}</${root}>`;
}

/** XML that is written already. */
export class WrittenXml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The library's writer takes longer for a page of keys than finding them does. */
function elements(content: Elements): string {
  let text = "";
  for (const name of Object.keys(content)) text += element(name, content[name]);
  return text;
}

function element(name: string, content: Content): string {
  if (content === undefined) return "";
  if (content instanceof WrittenXml) return content.text;
  if (isList(content)) return content.map((each) => element(name, each)).join("");
  const inside = typeof content === "object" ? elements(content) : escapeText(`${content}`);
  return `<${name}>${inside}</${name}>`;
}

const isList = (content: Content): content is readonly Content[] => Array.isArray(content);

const ESCAPED = /[&<>"'\r]/g;
const NEEDS_ESCAPE = /[&<>"'\r]/;
const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  // A parser reads a bare carriage return as a line feed.
  "\r": "&#13;",
};

/** Most texts have nothing to escape, and finding that out is faster than replacing nothing. */
export const escapeText = (text: string) =>
  NEEDS_ESCAPE.test(text) ? text.replace(ESCAPED, (found) => escapes[found]!) : text;

/** The root's content; null if it is not a document with this root. Entities are not declared. */
export function parseXml(text: string, root: string): Record<string, unknown> | null {
  if (text.includes("<!")) return null;
  try {
    const content: unknown = parser.parse(text, true)[root];
    return typeof content === "object" && content !== null
      ? (content as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The text of an element; null if it is absent. */
export function textOf(parent: Record<string, unknown>, name: string): string | null {
  const value = parent[name];
  return typeof value === "string" ? value : null;
}

/** Elements that repeat. */
export function elementsOf(parent: Record<string, unknown>, name: string) {
  const value = parent[name];
  if (!Array.isArray(value)) return [];
  return value.map((each) => (typeof each === "object" && each ? each : {})) as Record<
    string,
    unknown
  >[];
}
