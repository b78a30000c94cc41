// XML of the S3 interface. The types admit no name of an element or attribute that S3 does not have.

import { XMLParser } from "fast-xml-parser";
import type { ElementName } from "./element-name.ts";

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

/** A document without its XML declaration, in the namespace of S3. */
export function buildXml<const C>(root: ElementName, content: C & Named<C>): string {
  return element(root, withAttributes({ xmlns: NAMESPACE }, content));
}

/** A document in no namespace: S3's errors have none. */
export function buildPlainXml<const C>(root: ElementName, content: C & Named<C>): string {
  return element(root, content as Content);
}

/** A text, the elements inside by their names, or either with attributes. */
type Content = Value | Elements | WithAttributes | readonly (Value | Elements | WithAttributes)[];
type Value = string | number | boolean | undefined;
type Elements = { readonly [Name in ElementName]?: Content | WrittenXml };

/** Refuses names that are no elements, also where a spread brings them in. */
export type Named<C> = C extends Value | WithAttributes | WrittenXml
  ? C
  : C extends readonly (infer Each)[]
    ? readonly Named<Each>[]
    : { readonly [Name in keyof C]: Name extends ElementName ? Named<C[Name]> : never };

type AttributeName = "xmlns" | "xmlns:xsi" | "xsi:type";
type Attributes = { readonly [Name in AttributeName]?: string };

class WithAttributes {
  readonly attributes: Attributes;
  readonly content: Content;

  constructor(attributes: Attributes, content: Content) {
    this.attributes = attributes;
    this.content = content;
  }
}

export function withAttributes<const C>(attributes: Attributes, content: C & Named<C>) {
  return new WithAttributes(attributes, content as Content);
}

/** Elements that are written already, in place of a list of them. */
export class WrittenXml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The library's writer takes longer for a page of keys than finding them does. */
function element(name: ElementName, content: Content | WrittenXml): string {
  if (content === undefined) return "";
  if (content instanceof WrittenXml) return content.text;
  if (isList(content)) return content.map((each) => element(name, each)).join("");
  if (content instanceof WithAttributes) {
    const attributes = Object.entries(content.attributes);
    const written = attributes.map(([each, value]) => ` ${each}="${escapeText(value)}"`);
    return `<${name}${written.join("")}>${inside(content.content)}</${name}>`;
  }
  return `<${name}>${inside(content)}</${name}>`;
}

function inside(content: Content): string {
  if (content === undefined) return "";
  if (typeof content !== "object") return escapeText(`${content}`);
  if (isList(content) || content instanceof WithAttributes) {
    throw new TypeError("an element holds a text or elements with names");
  }
  let text = "";
  for (const name of Object.keys(content) as ElementName[]) text += element(name, content[name]);
  return text;
}

const isList = (content: Content): content is readonly (Value | Elements | WithAttributes)[] =>
  Array.isArray(content);

/** What ends a text, and what no XML 1.0 document can have, not even as a reference. */
const ESCAPED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  /[&<>"'\r\n\t\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
const NEEDS_ESCAPE = new RegExp(ESCAPED.source, "u");
const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  // A parser reads a bare carriage return as a line feed, and in an attribute these three as blanks.
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** Most texts have nothing to escape, and finding that out is faster than replacing nothing. */
export const escapeText = (text: string) =>
  NEEDS_ESCAPE.test(text) ? text.replace(ESCAPED, (each) => escapes[each] ?? "\ufffd") : text;

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
