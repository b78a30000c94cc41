// Conditional requests: If-Match, If-None-Match, If-Modified-Since and If-Unmodified-Since.

import { unquoted } from "./entity-tag.ts";
import { S3Error } from "./s3-error.ts";

export interface Conditions {
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
  /** Instants in milliseconds. */
  ifModifiedSince?: number | undefined;
  ifUnmodifiedSince?: number | undefined;
}

export interface Conditioned {
  etag: string;
  modifiedAt: number;
}

/** Whether to answer a read with 304. Throws PreconditionFailed. */
export function isNotModified(conditions: Conditions, object: Conditioned): boolean {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = conditions;
  if (ifMatch !== undefined) requireMatch(ifMatch, object);
  else if (ifUnmodifiedSince !== undefined && seconds(object.modifiedAt) > ifUnmodifiedSince) {
    throw new S3Error("PreconditionFailed", { condition: "If-Unmodified-Since" });
  }
  if (ifNoneMatch !== undefined) return matches(ifNoneMatch, object.etag);
  return ifModifiedSince !== undefined && seconds(object.modifiedAt) <= ifModifiedSince;
}

/** Checks the source of a copy, where every condition that is not met is an error. */
export function requireConditions(conditions: Conditions, object: Conditioned): void {
  if (!isNotModified(conditions, object)) return;
  throw new S3Error("PreconditionFailed", { condition: "x-amz-copy-source-if" });
}

/** Throws unless the conditions allow a write to the key. `object` is null if there is none. */
export function requireWritable(
  { ifMatch, ifNoneMatch }: Conditions,
  object: Conditioned | null,
  key: string,
): void {
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() !== "*") {
      const detail = "If-None-Match of a write can only be *, so that it replaces nothing.";
      throw new S3Error("NotImplemented", { detail });
    }
    if (object) throw new S3Error("PreconditionFailed", { condition: "If-None-Match" });
  }
  if (ifMatch === undefined) return;
  if (!object) throw new S3Error("NoSuchKey", { key });
  requireMatch(ifMatch, object);
}

/** Throws unless the condition allows a deletion. An object that does not exist needs none, so that a second attempt succeeds. */
export function requireDeletable({ ifMatch }: Conditions, object: Conditioned | null): void {
  if (ifMatch !== undefined && object) requireMatch(ifMatch, object);
}

function requireMatch(ifMatch: string, { etag }: Conditioned): void {
  if (!matches(ifMatch, etag)) throw new S3Error("PreconditionFailed", { condition: "If-Match" });
}

function matches(list: string, etag: string): boolean {
  return list.split(",").some((each) => each.trim() === "*" || unquoted(each) === etag);
}

/** HTTP dates have no milliseconds. */
const seconds = (instant: number) => Math.floor(instant / 1_000) * 1_000;
