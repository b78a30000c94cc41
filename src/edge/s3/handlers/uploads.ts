// Multipart uploads.

import {
  type ChecksumAlgorithm,
  type ChecksumType,
  checksumAlgorithms,
  checksumHeader,
  readAlgorithm,
} from "../../../domain/s3/checksum.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import type { NamedPart, Part } from "../../../domain/s3/upload.ts";
import { completeUpload as complete } from "../../../flows/s3/upload/complete-upload.ts";
import {
  abortUpload as abort,
  createUpload as create,
} from "../../../flows/s3/upload/create-upload.ts";
import {
  listParts as partsOf,
  listUploads as uploadsOf,
} from "../../../flows/s3/upload/list-uploads.ts";
import {
  uploadPartCopy as copyPart,
  uploadPart as receivePart,
} from "../../../flows/s3/upload/upload-part.ts";
import { stripOrigin } from "../../http/normalize-url.ts";
import { readConditions, storedHeaders } from "../wire/object-headers.ts";
import { xmlReply } from "../wire/reply.ts";
import { bodyOf, readText } from "../wire/request-body.ts";
import { numberOf, type S3Request } from "../wire/s3-request.ts";
import { buildXml, elementsOf, parseXml, textOf } from "../wire/xml.ts";
import {
  checksumElement,
  checksumElements,
  type Handler,
  isoTime,
  lastingAccessOf,
  pathOf,
  quoted,
  type S3Call,
  uploadOf,
} from "./call.ts";
import { encoderFor } from "./list-objects.ts";
import { copySource } from "./objects.ts";

const MAX_LISTED = 1_000;

export const createUpload: Handler = async (call) => {
  const { deps, request, by, bucket } = call;
  const upload = await create(deps, by, {
    bucket,
    path: pathOf(call),
    headers: storedHeaders(request),
    algorithm: readAlgorithm(request.header("x-amz-checksum-algorithm")),
    checksumType: readType(request),
  });
  const { algorithm, checksumType } = upload;
  const reply = xmlReply("InitiateMultipartUploadResult", {
    Bucket: bucket,
    Key: request.key,
    UploadId: upload.id,
  });
  if (!algorithm || !checksumType) return reply;
  const headers = { "x-amz-checksum-algorithm": algorithm, "x-amz-checksum-type": checksumType };
  return { ...reply, headers };
};

function readType({ header }: S3Request): ChecksumType | null {
  const type = header("x-amz-checksum-type")?.toUpperCase();
  return type === "FULL_OBJECT" || type === "COMPOSITE" ? type : null;
}

const partAddress = (call: S3Call) => ({
  ...uploadOf(call),
  number: numberOf(call.request, "partNumber", 0, Number.MAX_SAFE_INTEGER),
});

export const uploadPart: Handler = async (call) => {
  const { deps, request, authenticated, by } = call;
  const body = bodyOf(request, authenticated);
  const part = await receivePart(deps, by, partAddress(call), body);
  const { algorithm } = body;
  const checksum =
    algorithm && part.checksum !== null ? { [checksumHeader(algorithm)]: part.checksum } : {};
  return { status: 200, headers: { etag: quoted(part.etag), ...checksum } };
};

export const uploadPartCopy: Handler = async (call) => {
  const { deps, request, by } = call;
  const range = request.header("x-amz-copy-source-range");
  const source = { ...copySource(request), range, ...lastingAccessOf(call) };
  const part = await copyPart(deps, by, partAddress(call), source);
  const LastModified = isoTime(part.uploadedAt);
  return xmlReply("CopyPartResult", { ETag: quoted(part.etag), LastModified });
};

export const completeUpload: Handler = async (call) => {
  const { deps, request, authenticated, by, bucket } = call;
  const address = uploadOf(call);
  const parts = readParts(await readText(request, authenticated));
  const conditions = readConditions(request);
  const sent = checksumAlgorithms.find((each) => request.header(checksumHeader(each)));
  const checksum = sent ? (request.header(checksumHeader(sent)) ?? null) : null;
  const completion = { ...address, parts, conditions, checksum, ...lastingAccessOf(call) };
  const completed = complete(deps, by, completion);
  const slowXml = completed.then(({ etag, checksum }) =>
    buildXml("CompleteMultipartUploadResult", {
      Location: locationOf(call),
      Bucket: bucket,
      Key: request.key,
      ETag: quoted(etag),
      ...(checksum && checksumElements(checksum)),
    }),
  );
  return { status: 200, body: { slowXml } };
};

/** The object's address as the client reaches it: the SDKs return it as the URL of the upload. */
function locationOf({ origin, request: { message } }: S3Call): string {
  const [path] = stripOrigin(message.url ?? "/").split("?");
  return `${origin}${path}`;
}

function readParts(text: string): NamedPart[] {
  const root = parseXml(text, "CompleteMultipartUpload");
  const parts = (root ? elementsOf(root, "Part") : []).map((part) => {
    const checksums = checksumAlgorithms.map((each) => textOf(part, `Checksum${each}`));
    const checksum = checksums.find((each) => each !== null)?.trim() ?? null;
    return {
      number: Number(textOf(part, "PartNumber") ?? 0),
      etag: textOf(part, "ETag"),
      checksum,
    };
  });
  if (parts.length === 0 || parts.some(({ etag }) => etag === null)) {
    throw new S3Error("MalformedXML", { operation: "CompleteMultipartUpload" });
  }
  return parts as NamedPart[];
}

export const abortUpload: Handler = async (call) => {
  await abort(call.deps, call.by, uploadOf(call));
  return { status: 204 };
};

export const listParts: Handler = async (call) => {
  const { deps, request, by, bucket } = call;
  const after = numberOf(request, "part-number-marker", 0, Number.MAX_SAFE_INTEGER);
  const max = numberOf(request, "max-parts", MAX_LISTED, MAX_LISTED);
  const { upload, items, isTruncated } = await partsOf(deps, by, uploadOf(call), { after, max });
  const owner = { ID: by.accountId, DisplayName: by.accountId };
  return xmlReply("ListPartsResult", {
    Bucket: bucket,
    Key: request.key,
    UploadId: upload.id,
    Initiator: owner,
    Owner: owner,
    StorageClass: "STANDARD",
    PartNumberMarker: after,
    MaxParts: max,
    ...(isTruncated && { NextPartNumberMarker: items.at(-1)?.number ?? after }),
    IsTruncated: isTruncated,
    ...(upload.algorithm && {
      ChecksumAlgorithm: upload.algorithm,
      ChecksumType: upload.checksumType ?? undefined,
    }),
    Part: items.map((part) => partElement(part, upload.algorithm)),
  });
};

function partElement(
  { number, uploadedAt, etag, size, checksum }: Part,
  algorithm: ChecksumAlgorithm | null,
) {
  return {
    PartNumber: number,
    LastModified: isoTime(uploadedAt),
    ETag: quoted(etag),
    Size: size,
    ...(algorithm && checksum !== null && checksumElement(algorithm, checksum)),
  };
}

export const listUploads: Handler = async ({ deps, request, by, bucket }) => {
  const text = (name: string) => request.parameters.get(name) ?? "";
  const max = numberOf(request, "max-uploads", MAX_LISTED, MAX_LISTED);
  const markers = { keyMarker: text("key-marker"), uploadIdMarker: text("upload-id-marker") };
  if (text("delimiter") !== "") {
    const detail = "A delimiter in a list of uploads is not offered; use a prefix.";
    throw new S3Error("NotImplemented", { detail });
  }
  const prefix = text("prefix");
  const { items, isTruncated } = await uploadsOf(deps, by, bucket, { prefix, ...markers, max });
  const encode = encoderFor(request);
  const owner = { ID: by.accountId, DisplayName: by.accountId };
  const last = items.at(-1);
  return xmlReply("ListMultipartUploadsResult", {
    Bucket: bucket,
    KeyMarker: encode(markers.keyMarker),
    UploadIdMarker: markers.uploadIdMarker,
    Prefix: encode(prefix),
    MaxUploads: max,
    ...(text("encoding-type") && { EncodingType: "url" }),
    IsTruncated: isTruncated,
    ...(isTruncated && last && { NextKeyMarker: encode(last.key), NextUploadIdMarker: last.id }),
    Upload: items.map(({ key, id, createdAt }) => ({
      Key: encode(key),
      UploadId: id,
      Initiator: owner,
      Owner: owner,
      StorageClass: "STANDARD",
      Initiated: isoTime(createdAt),
    })),
  });
};
