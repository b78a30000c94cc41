// GetObjectAttributes: what is stored about an object, without its bytes.

import { isNotModified } from "../../../domain/s3/conditions.ts";
import type { S3Object } from "../../../domain/s3/object.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import { openObject } from "../../../flows/s3/read-object.ts";
import { readConditions } from "../wire/object-headers.ts";
import { type S3Reply, xmlReply } from "../wire/reply.ts";
import type { S3Request } from "../wire/s3-request.ts";
import { checksumElements, type Handler, pathOf } from "./call.ts";

const attributes = {
  ETag: ({ etag }: S3Object) => ({ ETag: etag }),
  Checksum: ({ checksum }: S3Object) => (checksum ? { Checksum: checksumElements(checksum) } : {}),
  ObjectParts: ({ partsCount }: S3Object) =>
    partsCount === null ? {} : { ObjectParts: { PartsCount: partsCount } },
  StorageClass: () => ({ StorageClass: "STANDARD" }),
  ObjectSize: ({ size }: S3Object) => ({ ObjectSize: size }),
};

type AttributeName = keyof typeof attributes;

export const getObjectAttributes: Handler = async (call): Promise<S3Reply> => {
  const { deps, request, by, bucket } = call;
  const names = readNames(request);
  const { object, file } = await openObject(deps, by, bucket, pathOf(call));
  await file?.close();
  const headers = { "last-modified": new Date(object.modifiedAt).toUTCString() };
  if (isNotModified(readConditions(request), object)) return { status: 304, headers };
  return {
    ...xmlReply("GetObjectAttributesResponse", {
      ...(names.has("ETag") && attributes.ETag(object)),
      ...(names.has("Checksum") && attributes.Checksum(object)),
      ...(names.has("ObjectParts") && attributes.ObjectParts(object)),
      ...(names.has("StorageClass") && attributes.StorageClass()),
      ...(names.has("ObjectSize") && attributes.ObjectSize(object)),
    }),
    headers,
  };
};

function readNames(request: S3Request): Set<AttributeName> {
  const sent = (request.header("x-amz-object-attributes") ?? "").split(",");
  const names = sent.map((each) => each.trim());
  if (names.every(isAttribute)) return new Set(names);
  const detail = `x-amz-object-attributes must name attributes: ${Object.keys(attributes).join(", ")}.`;
  throw new S3Error("InvalidArgument", { detail });
}

const isAttribute = (name: string): name is AttributeName => Object.hasOwn(attributes, name);
