// Buckets, which are network volumes. They are created and deleted over the API, because they cost money.

import { S3Error } from "../../../domain/s3/s3-error.ts";
import { requireVolume, volumesFor } from "../../../flows/s3/volume-access.ts";
import { denied } from "../wire/claimed-signature.ts";
import { xmlReply } from "../wire/reply.ts";
import { withAttributes } from "../wire/xml.ts";
import { type Handler, isoTime } from "./call.ts";

export const listBuckets: Handler = async ({ deps, by }) => {
  const volumes = await volumesFor(deps, by);
  const buckets = volumes.map(({ id, createdAt, dataCenterId }) => {
    return { Name: id, CreationDate: isoTime(createdAt), BucketRegion: dataCenterId };
  });
  return xmlReply("ListAllMyBucketsResult", {
    Owner: { ID: by.accountId, DisplayName: by.accountId },
    Buckets: { Bucket: buckets },
  });
};

export const headBucket: Handler = async ({ deps, by, bucket }) => {
  const { dataCenterId } = await requireVolume(deps, by, bucket, "read");
  return { status: 200, headers: { "x-amz-bucket-region": dataCenterId } };
};

export const getBucketLocation: Handler = async ({ deps, by, bucket }) => {
  const { dataCenterId } = await requireVolume(deps, by, bucket, "read");
  return xmlReply("LocationConstraint", dataCenterId);
};

export const getBucketVersioning: Handler = async ({ deps, by, bucket }) => {
  await requireVolume(deps, by, bucket, "read");
  return xmlReply("VersioningConfiguration", {});
};

/** Answers for a bucket and for an object: the account has full control, and there is nothing else. */
export const getAcl: Handler = async ({ deps, by, bucket }) => {
  await requireVolume(deps, by, bucket, "read");
  const owner = { ID: by.accountId, DisplayName: by.accountId };
  const grantee = withAttributes(
    { "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:type": "CanonicalUser" },
    owner,
  );
  return xmlReply("AccessControlPolicy", {
    Owner: owner,
    AccessControlList: { Grant: { Grantee: grantee, Permission: "FULL_CONTROL" } },
  });
};

export const getTagging: Handler = async ({ deps, by, bucket }) => {
  await requireVolume(deps, by, bucket, "read");
  return xmlReply("Tagging", { TagSet: "" });
};

/** Clients such as rclone create the bucket before the first upload, and go on if it is theirs. */
export const createBucket: Handler = async ({ deps, by, bucket }) => {
  const volumes = await volumesFor(deps, by);
  if (volumes.some(({ id }) => id === bucket))
    throw new S3Error("BucketAlreadyOwnedByYou", { bucket });
  throw denied("A bucket is a network volume. Create it with the API: POST /v1/networkvolumes.");
};

export const deleteBucket: Handler = async ({ deps, by, bucket }) => {
  await requireVolume(deps, by, bucket, "read");
  throw denied(
    "A bucket is a network volume. Delete it with the API: DELETE /v1/networkvolumes/{id}.",
  );
};
