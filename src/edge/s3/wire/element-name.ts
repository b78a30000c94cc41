// The names of the elements in S3's answers.

import type { ChecksumAlgorithm } from "../../../domain/s3/checksum.ts";

type Root =
  | "AccessControlPolicy"
  | "CompleteMultipartUploadResult"
  | "CopyObjectResult"
  | "CopyPartResult"
  | "DeleteResult"
  | "Error"
  | "GetObjectAttributesResponse"
  | "InitiateMultipartUploadResult"
  | "ListAllMyBucketsResult"
  | "ListBucketResult"
  | "ListMultipartUploadsResult"
  | "ListPartsResult"
  | "LocationConstraint"
  | "Tagging"
  | "VersioningConfiguration";

type Account = "Owner" | "Initiator" | "ID" | "DisplayName";

type Access = "AccessControlList" | "Grant" | "Grantee" | "Permission" | "TagSet";

type Bucket = "Buckets" | "Bucket" | "Name" | "CreationDate" | "BucketRegion";

type Listed =
  | "Prefix"
  | "Delimiter"
  | "EncodingType"
  | "IsTruncated"
  | "MaxKeys"
  | "KeyCount"
  | "Marker"
  | "NextMarker"
  | "ContinuationToken"
  | "NextContinuationToken"
  | "StartAfter"
  | "Contents"
  | "CommonPrefixes";

type Described =
  | "Key"
  | "ETag"
  | "Size"
  | "ObjectSize"
  | "ObjectParts"
  | "PartsCount"
  | "LastModified"
  | "StorageClass"
  | "Location"
  | "Checksum"
  | "ChecksumAlgorithm"
  | "ChecksumType"
  | `Checksum${ChecksumAlgorithm}`;

type Uploaded =
  | "Upload"
  | "UploadId"
  | "Initiated"
  | "KeyMarker"
  | "UploadIdMarker"
  | "NextKeyMarker"
  | "NextUploadIdMarker"
  | "MaxUploads"
  | "Part"
  | "PartNumber"
  | "PartNumberMarker"
  | "NextPartNumberMarker"
  | "MaxParts";

type Failed = "Deleted" | "Code" | "Message" | "Resource" | "RequestId";

export type ElementName = Root | Account | Access | Bucket | Listed | Described | Uploaded | Failed;
