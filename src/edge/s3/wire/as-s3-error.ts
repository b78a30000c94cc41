// The error of S3 that a failure is answered with.

import type { Logger } from "../../../base/log.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import { isStoreUnavailable } from "../../../flows/store-unavailable.ts";

/** What failures are reported to, and the name of the operation that failed. */
export interface FailureLog {
  log: Pick<Logger, "error">;
  operation: string;
}

/** An unexpected error is logged and not shown. */
export function asS3Error(error: unknown, { log, operation }: FailureLog): S3Error {
  if (error instanceof S3Error) return error;
  if (isStoreUnavailable(error)) {
    return new S3Error("SlowDown", { detail: "The database does not answer. Retry the request." });
  }
  if ((error as Error).name === "DriverUnavailable") {
    return new S3Error("SlowDown", { detail: "The volume's engine does not answer. Retry it." });
  }
  log.error({ err: error, operation }, "S3 failed");
  return new S3Error("InternalError");
}
