// The operations of the S3 interface, and which one a request asks for.

import { S3Error } from "../../domain/s3/s3-error.ts";
import * as buckets from "./handlers/buckets.ts";
import type { Handler } from "./handlers/call.ts";
import { deleteObjects } from "./handlers/delete-objects.ts";
import { listObjectsV1, listObjectsV2 } from "./handlers/list-objects.ts";
import { getObjectAttributes } from "./handlers/object-attributes.ts";
import * as objects from "./handlers/objects.ts";
import * as uploads from "./handlers/uploads.ts";
import type { S3Request } from "./wire/s3-request.ts";

export const operations = {
  ListBuckets: buckets.listBuckets,
  HeadBucket: buckets.headBucket,
  CreateBucket: buckets.createBucket,
  DeleteBucket: buckets.deleteBucket,
  GetBucketLocation: buckets.getBucketLocation,
  GetBucketVersioning: buckets.getBucketVersioning,
  GetBucketAcl: buckets.getAcl,
  ListObjects: listObjectsV1,
  ListObjectsV2: listObjectsV2,
  GetObject: objects.getObject,
  HeadObject: objects.getObject,
  PutObject: objects.putObject,
  CopyObject: objects.copyObject,
  DeleteObject: objects.deleteObject,
  DeleteObjects: deleteObjects,
  GetObjectAcl: buckets.getAcl,
  GetObjectAttributes: getObjectAttributes,
  GetObjectTagging: buckets.getTagging,
  CreateMultipartUpload: uploads.createUpload,
  UploadPart: uploads.uploadPart,
  UploadPartCopy: uploads.uploadPartCopy,
  CompleteMultipartUpload: uploads.completeUpload,
  AbortMultipartUpload: uploads.abortUpload,
  ListParts: uploads.listParts,
  ListMultipartUploads: uploads.listUploads,
} satisfies Record<string, Handler>;

export type OperationName = keyof typeof operations;

type Level = "service" | "bucket" | "object";

/** Operations by method, level and the parameter that selects it; without a parameter, the method's usual operation. */
const routes: Readonly<Record<string, OperationName>> = {
  "GET service": "ListBuckets",
  "HEAD bucket": "HeadBucket",
  "PUT bucket": "CreateBucket",
  "DELETE bucket": "DeleteBucket",
  "GET bucket": "ListObjects",
  "GET bucket list-type": "ListObjectsV2",
  "GET bucket location": "GetBucketLocation",
  "GET bucket versioning": "GetBucketVersioning",
  "GET bucket acl": "GetBucketAcl",
  "GET bucket uploads": "ListMultipartUploads",
  "POST bucket delete": "DeleteObjects",
  "GET object": "GetObject",
  "GET object acl": "GetObjectAcl",
  "GET object attributes": "GetObjectAttributes",
  "GET object tagging": "GetObjectTagging",
  "GET object uploadId": "ListParts",
  "HEAD object": "HeadObject",
  "PUT object": "PutObject",
  "PUT object copy": "CopyObject",
  "PUT object uploadId": "UploadPart",
  "PUT object uploadId copy": "UploadPartCopy",
  "DELETE object": "DeleteObject",
  "DELETE object uploadId": "AbortMultipartUpload",
  "POST object uploads": "CreateMultipartUpload",
  "POST object uploadId": "CompleteMultipartUpload",
};

/** Parameters that select an operation. One that no route has is an operation that is not offered. */
const SELECTORS = [
  "list-type",
  "location",
  "versioning",
  "acl",
  "uploads",
  "delete",
  "tagging",
  "uploadId",
  "accelerate",
  "analytics",
  "attributes",
  "cors",
  "encryption",
  "intelligent-tiering",
  "inventory",
  "legal-hold",
  "lifecycle",
  "logging",
  "metrics",
  "notification",
  "object-lock",
  "ownershipControls",
  "policy",
  "policyStatus",
  "publicAccessBlock",
  "replication",
  "requestPayment",
  "restore",
  "retention",
  "select",
  "torrent",
  "versionId",
  "versions",
  "website",
  "rename",
  "renameObject",
  "session",
];

/** Throws NotImplemented or MethodNotAllowed. */
export function operationOf(request: S3Request): OperationName {
  const { method, parameters } = request;
  const selector = SELECTORS.find((each) => isSelected(parameters, each));
  const isCopy = method === "PUT" && request.header("x-amz-copy-source") !== undefined;
  const words = [
    method,
    levelOf(request),
    ...(selector ? [selector] : []),
    ...(isCopy ? ["copy"] : []),
  ];
  const name = routes[words.join(" ")];
  if (name) return name;
  if (selector)
    throw new S3Error("NotImplemented", { detail: `${method} ?${selector} is not offered.` });
  throw new S3Error("MethodNotAllowed", { method });
}

/** "null" is the version of an object in a bucket without versions. */
function isSelected(parameters: ReadonlyMap<string, string>, name: string): boolean {
  if (name === "versionId" && parameters.get(name) === "null") return false;
  return parameters.has(name);
}

function levelOf({ bucket, key }: S3Request): Level {
  if (bucket === "") return "service";
  return key === "" ? "bucket" : "object";
}
