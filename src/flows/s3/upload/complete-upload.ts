// Completing a multipart upload: its parts become one object. Until then, and if it fails, they stay.

import { createHash } from "node:crypto";
import { type Checksum, compositeChecksum } from "../../../domain/s3/checksum.ts";
import type { Conditions } from "../../../domain/s3/conditions.ts";
import { multipartTag, unquoted } from "../../../domain/s3/entity-tag.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import type { S3Key } from "../../../domain/s3/s3-key.ts";
import {
  type NamedPart,
  type Part,
  selectParts,
  tagOfParts,
  type Upload,
} from "../../../domain/s3/upload.ts";
import type { FileFacts } from "../../../drivers/volume-files.ts";
import { findObject } from "../../../store/s3-object/s3-object.ts";
import { findUpload, partsOfUpload } from "../../../store/s3-upload/s3-upload.ts";
import { recordCompleted } from "../../../transactions/s3/object.ts";
import { checkConditions, placeObject } from "../place-object.ts";
import type { WrittenObject } from "../put-object.ts";
import { type ObjectBody, receiveBody } from "../receive-body.ts";
import type { S3Deps } from "../s3-deps.ts";
import { type WritableVolume, writableVolume } from "../volume-access.ts";
import { discardParts, type UploadAddress } from "./create-upload.ts";

export interface Completion extends UploadAddress {
  parts: readonly NamedPart[];
  conditions: Conditions;
  /** The checksum of the whole object as the client computed it; null if it did not. */
  checksum: string | null;
  requireLastingAccess: ObjectBody["requireLastingAccess"];
}

export async function completeUpload(
  deps: S3Deps,
  key: S3Key,
  completion: Completion,
): Promise<WrittenObject> {
  const { bucket, path, uploadId } = completion;
  const target = await writableVolume(deps, key, bucket);
  return deps.locks.run(`upload/${uploadId}`, async () => {
    const upload = await deps.store.read(findUpload, uploadId, bucket, path.key);
    if (!upload) return requireCompleted(deps, completion);
    const uploaded = await deps.store.read(partsOfUpload, uploadId);
    const parts = selectParts(completion.parts, uploaded);
    const { etag, checksum } =
      (await recordPlaced(deps, target, { path, upload, parts })) ??
      (await placeParts(deps, target, completion, { upload, parts }));
    await discardParts(
      target,
      uploaded.map(({ staged }) => staged),
    );
    for (const { size } of without(uploaded, parts)) deps.rooms.release(target.volume, size);
    return { etag, checksum };
  });
}

interface ChosenParts {
  upload: Upload;
  parts: readonly Part[];
}

async function placeParts(
  deps: S3Deps,
  target: WritableVolume,
  { path, uploadId, conditions, checksum, requireLastingAccess }: Completion,
  { upload, parts }: ChosenParts,
): Promise<WrittenObject> {
  await checkConditions(deps, target, path, conditions);
  const assembly = { upload, parts, checksum, requireLastingAccess };
  const object = await assemble(deps, target, assembly);
  try {
    const { staged, ...record } = object;
    const placement = { path, staged, conditions, uploadId };
    await placeObject(deps, target, {
      ...placement,
      record: { ...record, headers: upload.headers },
    });
  } catch (error) {
    // A single part is the object's file itself, and stays.
    if (parts.every(({ staged }) => staged !== object.staged)) {
      await target.files.discardStaged(object.staged);
    }
    throw error;
  }
  return object;
}

const without = (all: readonly Part[], some: readonly Part[]) =>
  all.filter((part) => !some.includes(part));

/** A client that got no answer completes the upload again. */
async function requireCompleted(
  { store }: S3Deps,
  { bucket, path, uploadId, parts }: Completion,
): Promise<WrittenObject> {
  const record = await store.read(findObject, bucket, path.key);
  const tags = parts.map(({ etag }) => unquoted(etag));
  if (!record || record.etag !== multipartTag(tags))
    throw new S3Error("NoSuchUpload", { uploadId });
  return { etag: record.etag, checksum: record.checksum };
}

/**
 * A try whose record was not written has moved the file of a single part to its place already, with its conditions. Null where the
 * file is not there.
 */
async function recordPlaced(
  deps: S3Deps,
  { volume, files }: WritableVolume,
  { path, upload, parts }: ChosenParts & Pick<UploadAddress, "path">,
): Promise<WrittenObject | null> {
  const [only, ...others] = parts;
  if (!only || others.length > 0) return null;
  const staged = await files.openStaged(only.staged);
  await staged?.close();
  if (staged) return null;
  return deps.locks.run(`${volume.id}/${path.key}`, async () => {
    const facts = await factsOfPart(files, path, only);
    if (!facts) return null;
    const object = { ...facts, etag: tagOfParts(parts), checksum: composite(upload, parts) };
    const record = { ...object, key: path.key, headers: upload.headers };
    await deps.store.write(recordCompleted, upload.id, volume.id, record, []);
    return object;
  });
}

/** Null if the file at the path has other bytes than the part. */
async function factsOfPart(
  files: WritableVolume["files"],
  path: UploadAddress["path"],
  { size, etag }: Part,
): Promise<FileFacts | null> {
  const file = await files.open(path.names);
  if (file?.facts.size !== size) {
    await file?.close();
    return null;
  }
  const digest = createHash("md5");
  for await (const chunk of file.read(0, size - 1)) digest.update(chunk);
  return digest.digest("hex") === etag ? file.facts : null;
}

interface Assembled extends FileFacts {
  staged: string;
  etag: string;
  checksum: Checksum | null;
}

interface Assembly extends ChosenParts {
  /** The checksum of the whole object as the client computed it; null if it did not. */
  checksum: string | null;
  requireLastingAccess: ObjectBody["requireLastingAccess"];
}

/** The parts as one staged file. A single part is that file already. */
async function assemble(
  deps: S3Deps,
  target: WritableVolume,
  { upload, parts, checksum: expected, requireLastingAccess }: Assembly,
): Promise<Assembled> {
  const etag = tagOfParts(parts);
  const full = upload.checksumType === "FULL_OBJECT" ? upload.algorithm : null;
  const [only] = parts;
  if (parts.length === 1 && only && full === null) {
    const file = await target.files.openStaged(only.staged);
    await file?.close();
    if (!file) throw new S3Error("InvalidPart", { part: only.number });
    return { ...file.facts, staged: only.staged, etag, checksum: composite(upload, parts) };
  }
  const body: ObjectBody = {
    chunks: bytesOf(target, parts),
    requireLastingAccess,
    length: parts.reduce((sum, { size }) => sum + size, 0),
    algorithm: full,
    expected: () => ({ md5: null, checksum: full && expected }),
  };
  const options = { name: `put-${deps.ids.short(20)}`, maxBytes: Infinity, isCounted: true };
  const { staged, facts, checksum: value } = await receiveBody(deps, target, body, options);
  const checksum: Checksum | null =
    full && value !== null
      ? { algorithm: full, value, type: "FULL_OBJECT" }
      : composite(upload, parts);
  return { ...facts, staged, etag, checksum };
}

function composite({ algorithm, checksumType }: Upload, parts: readonly Part[]): Checksum | null {
  const checksums = parts.map(({ checksum }) => checksum);
  if (algorithm === null || checksumType !== "COMPOSITE" || checksums.includes(null)) return null;
  return compositeChecksum(algorithm, checksums as string[]);
}

async function* bytesOf(
  { files }: WritableVolume,
  parts: readonly Part[],
): AsyncGenerator<Uint8Array> {
  for (const { staged, number, size } of parts) {
    const file = await files.openStaged(staged);
    if (file?.facts.size !== size) {
      await file?.close();
      throw new S3Error("InvalidPart", { part: number });
    }
    yield* file.read(0, size - 1) as AsyncIterable<Uint8Array>;
  }
}
