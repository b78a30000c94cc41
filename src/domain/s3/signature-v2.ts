// Signature Version 2 of a presigned URL, which boto3 and the command line of AWS still make where the region
// is us-east-1 or none. Pure.

import { createHmac } from "node:crypto";

export interface PresignedV2 {
  method: string;
  /** The path as it was sent, percent-encoded. */
  path: string;
  /** Decoded. */
  parameters: ReadonlyMap<string, string>;
  /** The header fields, by their names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The parameters that are signed: those that select an operation or change its reply. */
const SIGNED = new Set([
  "accelerate",
  "acl",
  "analytics",
  "cors",
  "defaultObjectAcl",
  "delete",
  "encryption",
  "inventory",
  "lifecycle",
  "location",
  "logging",
  "metrics",
  "notification",
  "object-lock",
  "partNumber",
  "policy",
  "replication",
  "requestPayment",
  "restore",
  "select",
  "select-type",
  "storageClass",
  "tagging",
  "torrent",
  "uploadId",
  "uploads",
  "versionId",
  "versioning",
  "versions",
  "website",
  "response-cache-control",
  "response-content-disposition",
  "response-content-encoding",
  "response-content-language",
  "response-content-type",
  "response-expires",
]);

export function signatureV2(secret: string, request: PresignedV2): string {
  return createHmac("sha1", secret).update(textToSign(request)).digest("base64");
}

function textToSign({ method, path, parameters, headers }: PresignedV2): string {
  const value = (name: string) => [headers[name] ?? ""].flat().join(",").trim();
  const amazon = Object.keys(headers).filter((name) => name.startsWith("x-amz-"));
  const lines = amazon.sort().map((name) => `${name}:${value(name)}\n`);
  const signed = [...parameters].filter(([name]) => SIGNED.has(name)).sort(byName);
  const query = signed.map(([name, text]) => (text === "" ? name : `${name}=${text}`)).join("&");
  const head = [method, value("content-md5"), value("content-type"), parameters.get("Expires")];
  return `${head.join("\n")}\n${lines.join("")}${path}${query && `?${query}`}`;
}

const byName = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1);
