// Flash builds: archives that clients upload, and their manifests. Pure.

import { HOUR_MS, MIB } from "../../base/units.ts";

export interface FlashBuild {
  id: string;
  appId: string;
  /** The size of the archive, in bytes. */
  size: number;
  /** JSON; null until the upload is finalized. */
  manifest: string | null;
  createdAt: number;
  /** When the upload expires. */
  expiresAt: number;
}

/** The Flash client refuses larger archives too. */
export const MAX_ARCHIVE_BYTES = 1_500 * MIB;

/** How long an upload may take from its beginning to its end. */
export const UPLOAD_MS = HOUR_MS;

/** Older builds of an app are deleted, except those that an environment runs. */
export const MAX_BUILDS = 20;

/** The name of a build's archive for clients. */
export const objectKeyOf = ({ appId, id }: Pick<FlashBuild, "appId" | "id">) =>
  `flash/${appId}/${id}.tar.gz`;

/** The build that an object key names; null for another text, or a key of another app. */
export function buildIdOf(appId: string, objectKey: string): string | null {
  const [folder, app, file = "", ...rest] = objectKey.split("/");
  const id = /^([a-z0-9]{1,64})\.tar\.gz$/.exec(file)?.[1];
  return folder === "flash" && app === appId && rest.length === 0 ? (id ?? null) : null;
}
