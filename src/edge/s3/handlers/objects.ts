// Reading, writing, copying and deleting objects.

import { readRange } from "../../../domain/s3/byte-range.ts";
import { type Checksum, checksumHeader } from "../../../domain/s3/checksum.ts";
import { isNotModified } from "../../../domain/s3/conditions.ts";
import { readKey } from "../../../domain/s3/object-key.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import { type CopySource, copyObject as copy } from "../../../flows/s3/copy-object.ts";
import { deletableVolume, deleteObject as remove } from "../../../flows/s3/delete-object.ts";
import { putObject as put } from "../../../flows/s3/put-object.ts";
import { type OpenObject, openObject } from "../../../flows/s3/read-object.ts";
import { objectHeaders, readConditions, storedHeaders } from "../wire/object-headers.ts";
import { type S3Reply, xmlReply } from "../wire/reply.ts";
import { bodyOf } from "../wire/request-body.ts";
import { decode, type S3Request } from "../wire/s3-request.ts";
import { type Handler, isoTime, lastingAccessOf, pathOf, quoted } from "./call.ts";

export const getObject: Handler = async (call) => {
  const { deps, request, by, bucket } = call;
  if (request.parameters.has("partNumber")) {
    throw new S3Error("NotImplemented", {
      detail: "Reading single parts is not offered; use Range.",
    });
  }
  const opened = await openObject(deps, by, bucket, pathOf(call));
  try {
    return await readReply(request, opened);
  } catch (error) {
    await opened.file?.close();
    throw error;
  }
};

async function readReply(request: S3Request, { object, file }: OpenObject): Promise<S3Reply> {
  if (isNotModified(readConditions(request), object)) {
    await file?.close();
    const etag = quoted(object.etag);
    return { status: 304, headers: { etag } };
  }
  const range = readRange(request.header("range"), object.size);
  const sent = range ?? { first: 0, last: object.size - 1 };
  const { first, last } = sent;
  const status = range ? 206 : 200;
  const headers = {
    ...objectHeaders(request, object, last - first + 1),
    ...(range && { "content-range": `bytes ${first}-${last}/${object.size}` }),
  };
  if (request.method !== "HEAD" && file) {
    return { status, headers, body: { file, range: sent } };
  }
  await file?.close();
  return { status, headers };
}

export const putObject: Handler = async (call) => {
  const { deps, request, authenticated, by, bucket } = call;
  const { etag, checksum } = await put(deps, by, {
    bucket,
    path: pathOf(call),
    headers: storedHeaders(request),
    conditions: readConditions(request),
    body: bodyOf(request, authenticated),
  });
  return { status: 200, headers: { etag: quoted(etag), ...checksumHeaders(checksum) } };
};

function checksumHeaders(checksum: Checksum | null): Record<string, string> {
  if (!checksum) return {};
  const { algorithm, value, type } = checksum;
  return { [checksumHeader(algorithm)]: value, "x-amz-checksum-type": type };
}

export const copyObject: Handler = async (call) => {
  const { deps, request, by, bucket } = call;
  const replaces = request.header("x-amz-metadata-directive")?.toUpperCase() === "REPLACE";
  const headers = storedHeaders(request);
  const etag = await copy(deps, by, {
    source: copySource(request),
    bucket,
    path: pathOf(call),
    headers: replaces ? headers : null,
    conditions: readConditions(request),
    ...lastingAccessOf(call),
  });
  const LastModified = isoTime(deps.clock.now());
  return xmlReply("CopyObjectResult", { ETag: quoted(etag), LastModified });
};

/** The header x-amz-copy-source: <bucket>/<key>, percent-encoded. */
export function copySource(request: S3Request): CopySource {
  const [source = "", version] = (request.header("x-amz-copy-source") ?? "").split("?versionId=");
  if (version !== undefined && version !== "null") {
    throw new S3Error("NotImplemented", { detail: "Versions are not offered." });
  }
  const text = decode(source).replace(/^\//, "");
  const at = text.indexOf("/");
  if (at < 1) {
    const detail = "x-amz-copy-source must be a bucket and a key: /bucket/key.";
    throw new S3Error("InvalidArgument", { detail });
  }
  const conditions = readConditions(request, "x-amz-copy-source-");
  return { bucket: text.slice(0, at), path: readKey(text.slice(at + 1)), conditions };
}

export const deleteObject: Handler = async (call) => {
  const { deps, request, by, bucket } = call;
  const path = pathOf(call);
  const target = await deletableVolume(deps, by, bucket);
  if (target) await remove(deps, target, path, readConditions(request));
  return { status: 204 };
};
