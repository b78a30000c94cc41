// ListObjects and ListObjectsV2.

import { encodeS3 } from "../../../domain/s3/canonical-request.ts";
import type { S3Object } from "../../../domain/s3/object.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import {
  type ListPage,
  type ListRequest,
  listObjects,
} from "../../../flows/s3/list/list-objects.ts";
import { xmlReply } from "../wire/reply.ts";
import { numberOf, type S3Request } from "../wire/s3-request.ts";
import { escapeText, WrittenXml } from "../wire/xml.ts";
import { type Handler, isoTime, type S3Call } from "./call.ts";

const MAX_KEYS = 1_000;

export const listObjectsV2: Handler = async (call) => {
  const { request, by } = call;
  const { parameters } = request;
  const token = parameters.get("continuation-token");
  const startAfter = parameters.get("start-after") ?? "";
  const after = token ? readToken(token) : startAfter;
  const { listed, page, encode } = await list(call, after);
  const hasOwner = parameters.get("fetch-owner") === "true";
  return xmlReply("ListBucketResult", {
    ...described(call, listed, page, encode),
    KeyCount: page.objects.length + page.prefixes.length,
    ...(token && { ContinuationToken: token }),
    ...(page.isTruncated && { NextContinuationToken: tokenOf(page.last) }),
    ...(startAfter && { StartAfter: encode(startAfter) }),
    Contents: contents(page.objects, encode, hasOwner ? by.accountId : null),
    CommonPrefixes: page.prefixes.map((prefix) => ({ Prefix: encode(prefix) })),
  });
};

export const listObjectsV1: Handler = async (call) => {
  const marker = call.request.parameters.get("marker") ?? "";
  const { listed, page, encode } = await list(call, marker);
  return xmlReply("ListBucketResult", {
    ...described(call, listed, page, encode),
    Marker: encode(marker),
    // Without a delimiter, clients continue from the last key.
    ...(page.isTruncated && listed.delimiter && { NextMarker: encode(page.last) }),
    Contents: contents(page.objects, encode, call.by.accountId),
    CommonPrefixes: page.prefixes.map((prefix) => ({ Prefix: encode(prefix) })),
  });
};

type Encode = (text: string) => string;

async function list(call: S3Call, after: string) {
  const { deps, request, by, bucket } = call;
  const listed: ListRequest = {
    prefix: request.parameters.get("prefix") ?? "",
    delimiter: request.parameters.get("delimiter") ?? "",
    after,
    maxKeys: numberOf(request, "max-keys", MAX_KEYS, MAX_KEYS),
  };
  const encode = encoderFor(request);
  return { listed, encode, page: await listObjects(deps, by, bucket, listed) };
}

export function encoderFor({ parameters }: S3Request): Encode {
  const type = parameters.get("encoding-type");
  if (!type) return (text) => text;
  if (type === "url") return (text) => encodeS3(text).replaceAll("%2F", "/");
  throw new S3Error("InvalidArgument", { detail: 'encoding-type can only be "url".' });
}

function described(
  { bucket, request }: S3Call,
  { prefix, delimiter, maxKeys }: ListRequest,
  { isTruncated }: ListPage,
  encode: Encode,
) {
  return {
    Name: bucket,
    Prefix: encode(prefix),
    ...(delimiter && { Delimiter: encode(delimiter) }),
    MaxKeys: maxKeys,
    ...(request.parameters.get("encoding-type") && { EncodingType: "url" }),
    IsTruncated: isTruncated,
  };
}

/** The contents as text: a page of 1,000 keys in general elements takes longer than all the rest. */
function contents(objects: readonly S3Object[], encode: Encode, owner: string | null): WrittenXml {
  const id = owner === null ? "" : escapeText(owner);
  const ownerXml =
    owner === null ? "" : `<Owner><ID>${id}</ID><DisplayName>${id}</DisplayName></Owner>`;
  let text = "";
  let [instant, time] = [Number.NaN, ""];
  for (const { key, modifiedAt, etag, checksum, size } of objects) {
    // Files are often written many in a millisecond.
    if (modifiedAt !== instant) [instant, time] = [modifiedAt, isoTime(modifiedAt)];
    const checksumXml = checksum
      ? `<ChecksumAlgorithm>${checksum.algorithm}</ChecksumAlgorithm>`
      : "";
    text +=
      `<Contents><Key>${escapeText(encode(key))}</Key><LastModified>${time}</LastModified>` +
      `<ETag>&quot;${escapeText(etag)}&quot;</ETag>${checksumXml}<Size>${size}</Size>${ownerXml}` +
      "<StorageClass>STANDARD</StorageClass></Contents>";
  }
  return new WrittenXml(text);
}

const tokenOf = (last: string) => Buffer.from(last).toString("base64url");

function readToken(token: string): string {
  const last = Buffer.from(token, "base64url").toString("utf8");
  if (tokenOf(last) === token) return last;
  throw new S3Error("InvalidArgument", { detail: "The continuation token is not valid." });
}
