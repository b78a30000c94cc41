// Downloading the archive of a Flash build from a signed URL.

import type { Readable } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { HOUR_MS } from "../../base/units.ts";
import { Fault } from "../../domain/fault.ts";
import type { ArchivePermit, FlashArchives } from "./archives.ts";
import type { SharedArchives } from "./shared-archives.ts";

/** How long a URL is valid. */
const DOWNLOAD_MS = HOUR_MS;

export interface DownloadDeps {
  clock: Clock;
  flashArchives: FlashArchives;
  sharedArchives: SharedArchives;
}

/** The path and query of a build's archive. */
export function flashDownload(
  { clock, flashArchives }: Pick<DownloadDeps, "clock" | "flashArchives">,
  buildId: string,
): { path: string; expiresAt: number } {
  const expiresAt = clock.now() + DOWNLOAD_MS;
  const signature = flashArchives.signatureOf("download", { buildId, size: 0, expiresAt });
  return {
    path: `/flash/downloads/${buildId}?expires=${expiresAt}&signature=${signature}`,
    expiresAt,
  };
}

/** The signature in the URL is its only authorization. */
export async function openFlashDownload(
  { clock, flashArchives, sharedArchives }: DownloadDeps,
  { signature, ...permit }: Omit<ArchivePermit, "size"> & { signature: string },
): Promise<{ size: number; content: Readable }> {
  if (!flashArchives.isSigned("download", { ...permit, size: 0 }, signature)) {
    throw new Fault("forbidden", { detail: "The signature of this download URL is not valid." });
  }
  if (clock.now() >= permit.expiresAt) {
    const detail = "This download URL has expired; read the environment again for a new one.";
    throw new Fault("forbidden", { detail });
  }
  const opened = await sharedArchives.open(permit.buildId);
  if (!opened) throw new Fault("flash_build_not_found", { id: permit.buildId });
  return opened;
}
