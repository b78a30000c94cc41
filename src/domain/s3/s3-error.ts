// The errors of the S3 interface, as S3 words them. A test keeps docs/s3.md equal to this table.

interface Row {
  status: number;
  /** The public sentence; `{name}` is replaced by the fact of that name. */
  sentence: string;
}

export const s3Errors = {
  AccessDenied: row(403, "{detail}"),
  BadDigest: row(
    400,
    "The {algorithm} you specified did not match what we received; nothing was stored.",
  ),
  BucketAlreadyOwnedByYou: row(
    409,
    "The volume {bucket} exists and is yours. Volumes are created with the API: POST /v1/networkvolumes.",
  ),
  EntityTooLarge: row(400, "The object has more than {limit} bytes; use a multipart upload."),
  ExpiredToken: row(400, "Session tokens are not offered; remove the session token."),
  IncompleteBody: row(400, "The body ended before the number of bytes that its header declares."),
  InternalError: row(500, "The request failed inside the service. Retry it."),
  InvalidAccessKeyId: row(403, "The access key id {accessKeyId} does not exist here."),
  InvalidArgument: row(400, "{detail}"),
  InvalidDigest: row(400, "The header {header} is not a valid digest."),
  InvalidPart: row(
    400,
    "Part {part} was not uploaded, or its ETag or checksum differs from the one that was uploaded.",
  ),
  InvalidPartOrder: row(400, "The parts must be in ascending order."),
  InvalidRange: row(416, "The range {range} is not within the {size} bytes of the object."),
  InvalidRequest: row(400, "{detail}"),
  KeyTooLongError: row(
    400,
    "A key has at most 1024 bytes, and each name in it at most 255; this one has {bytes}.",
  ),
  MalformedXML: row(400, "The XML in the body is not what {operation} takes."),
  MethodNotAllowed: row(405, "{method} is not allowed on this resource."),
  MissingContentLength: row(411, "The request must declare the length of its body."),
  NoSuchBucket: row(404, "There is no volume {bucket}; a bucket is the id of a network volume."),
  NoSuchKey: row(404, "There is no object {key}."),
  NoSuchUpload: row(404, "There is no multipart upload {uploadId} of this key."),
  NotImplemented: row(501, "{detail}"),
  PreconditionFailed: row(412, "The condition {condition} is not met."),
  QuotaExceeded: row(
    507,
    "The volume {bucket} has no room for this object; nothing was stored. Delete something, or let the volume grow.",
  ),
  RequestTimeTooSkewed: row(
    403,
    "The request's time differs from the server's by more than {minutes} minutes; the server's is {now}.",
  ),
  SignatureDoesNotMatch: row(
    403,
    "The signature does not match. Check the secret, and that nothing changes the request on its way.",
  ),
  SlowDown: row(503, "{detail}"),
  XAmzContentChecksumMismatch: row(
    400,
    "The {algorithm} checksum does not match what we received; nothing was stored.",
  ),
  XAmzContentSHA256Mismatch: row(
    400,
    "The header x-amz-content-sha256 does not match what we received; nothing was stored.",
  ),
} satisfies Record<string, Row>;

export type S3ErrorCode = keyof typeof s3Errors;

function row(status: number, sentence: string): Row {
  return { status, sentence };
}

/** An error with a code from the table. `message` is the public sentence. */
export class S3Error extends Error {
  override readonly name = "S3Error";
  readonly code: S3ErrorCode;
  readonly status: number;

  constructor(code: S3ErrorCode, facts: Readonly<Record<string, string | number>> = {}) {
    const { status, sentence } = s3Errors[code];
    super(sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole)));
    this.code = code;
    this.status = status;
  }
}
