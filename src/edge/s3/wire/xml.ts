// XML of the S3 interface.

import { XMLBuilder, XMLParser } from "fast-xml-parser";

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: "@" });
/** Keys may look like numbers, and begin or end with blanks. */
const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
  // Go writes a quotation mark as a numeric reference.
  htmlEntities: true,
  isArray: (name) => name === "Object" || name === "Part",
});

/** A document without its XML declaration. */
export function buildXml(root: string, content: Readonly<Record<string, unknown>>): string {
  return builder.build({ [root]: { "@xmlns": NAMESPACE, ...content } });
}

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
