// Uploading the archive of a Flash build: the upload is prepared, the archive arrives at a signed URL, and
// the build is finalized with its manifest.

import { Fault } from "../../domain/fault.ts";
import {
  buildIdOf,
  type FlashBuild,
  MAX_ARCHIVE_BYTES,
  UPLOAD_MS,
} from "../../domain/flash/build.ts";
import type { Store } from "../../store/engine/store.ts";
import { findAnyBuild } from "../../store/flash-app/build.ts";
import { beginUpload, finalizeUpload } from "../../transactions/flash-app/build.ts";
import type { FlowDeps } from "../flow-deps.ts";
import type { StorageQuota } from "../storage-quota.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { ArchivePermit, FlashArchives } from "./archives.ts";
import { manifestText } from "./builds.ts";
import { readFlashApp } from "./read.ts";
import type { SharedArchives } from "./shared-archives.ts";

export interface FlashUploadDeps extends FlowDeps {
  flashArchives: FlashArchives;
  storageQuota: StorageQuota;
}

export interface PreparedUpload {
  build: FlashBuild;
  /** The path and query that takes the archive. */
  path: string;
}

export async function prepareFlashUpload(
  { store, clock, ids, flashArchives, storageQuota }: FlashUploadDeps,
  accountId: string,
  { appId, size }: { appId: string; size: number },
): Promise<PreparedUpload> {
  if (size < 1 || size > MAX_ARCHIVE_BYTES) {
    const detail = `"tarballSize" must be between 1 and ${MAX_ARCHIVE_BYTES} bytes.`;
    throw new Fault("invalid_body", { detail });
  }
  await readFlashApp({ store }, accountId, appId);
  const storageLimit = await storageQuota.admit(accountId, size);
  const createdAt = clock.now();
  const expiresAt = createdAt + UPLOAD_MS;
  const id = ids.short(14);
  const build = { id, appId, size, manifest: null, createdAt, expiresAt };
  await throwRefusal(store.write(beginUpload, accountId, build, storageLimit));
  const signature = flashArchives.signatureOf("upload", { buildId: id, size, expiresAt });
  const query = `size=${size}&expires=${expiresAt}&signature=${signature}`;
  return { build, path: `/flash/uploads/${id}?${query}` };
}

/** Takes the body of an upload. The signature in its URL is its only authorization. */
export async function receiveFlashUpload(
  { store, clock, flashArchives }: Pick<FlashUploadDeps, "store" | "clock" | "flashArchives">,
  { signature, ...permit }: ArchivePermit & { signature: string },
  body: AsyncIterable<Uint8Array> & { declared: number | null },
): Promise<void> {
  if (!flashArchives.isSigned("upload", permit, signature)) {
    throw new Fault("forbidden", { detail: "The signature of this upload URL is not valid." });
  }
  if (clock.now() >= permit.expiresAt) {
    throw new Fault("forbidden", { detail: "This upload URL has expired; prepare a new upload." });
  }
  await requireOpen(store, permit.buildId);
  // Refused before it is read.
  if (body.declared !== null && body.declared !== permit.size) {
    const detail = `The archive has ${body.declared} bytes; the upload was prepared for ${permit.size}.`;
    throw new Fault("invalid_body", { detail });
  }
  await flashArchives.receive(permit, untilComplete(store, permit.buildId, body));
}

/** A build that was finalized or deleted while the body was sent keeps what it had. */
async function* untilComplete(
  store: Store,
  id: string,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* body;
  await requireOpen(store, id);
}

async function requireOpen(store: Store, id: string): Promise<void> {
  const build = await store.read(findAnyBuild, id);
  if (!build) throw new Fault("flash_build_not_found", { id });
  if (build.manifest === null) return;
  throw new Fault("forbidden", { detail: "The build of this upload URL is finalized already." });
}

interface FinalizeDeps extends Pick<FlashUploadDeps, "store" | "flashArchives"> {
  sharedArchives: SharedArchives;
}

export async function finalizeFlashUpload(
  { store, flashArchives, sharedArchives }: FinalizeDeps,
  accountId: string,
  { appId, objectKey, manifest }: { appId: string; objectKey: string; manifest: unknown },
): Promise<FlashBuild> {
  await readFlashApp({ store }, accountId, appId);
  const id = buildIdOf(appId, objectKey);
  if (id === null) throw new Fault("flash_build_not_found", { id: objectKey.slice(0, 191) });
  const build = await store.read(findAnyBuild, id);
  if (build && (await sharedArchives.sizeOf(id)) !== build.size) {
    const detail = `No archive of ${build.size} bytes has been uploaded for ${objectKey}.`;
    throw new Fault("invalid_body", { detail });
  }
  const text = manifestText(manifest ?? {});
  const finalized = await throwRefusal(store.write(finalizeUpload, accountId, { id, appId }, text));
  for (const each of finalized.deleted) await flashArchives.remove(each);
  return finalized.build;
}
