// CUDA versions, compared as numbers: 12.10 is later than 12.9. Pure.

import type { Catalog } from "./catalog.ts";

const FORM = /^(\d{1,3})(?:\.(\d{1,3}))?$/;

/** Negative if `a` is earlier than `b`. "12" is 12.0. */
export function compareCudaVersions(a: string, b: string): number {
  return rankOf(a) - rankOf(b);
}

function rankOf(version: string): number {
  const [, major = "0", minor = "0"] = FORM.exec(version) ?? [];
  return Number(major) * 1_000 + Number(minor);
}

/**
 * A sentence for each name that is no CUDA version, or one before the catalog's first. Later versions than
 * the catalog's are valid: the driver of a machine can be newer than the catalog.
 */
export function cudaVersionErrors(
  field: string,
  versions: readonly string[] | undefined,
  { cudaVersions }: Catalog,
): string[] {
  const first = cudaVersions.toSorted(compareCudaVersions)[0];
  return (versions ?? [])
    .filter((version) => {
      const isVersion = FORM.test(version);
      return !isVersion || (first !== undefined && compareCudaVersions(version, first) < 0);
    })
    .map((version) => {
      const text = JSON.stringify(version.slice(0, 80));
      return `"${field}" has ${text}, which is not a CUDA version from ${first} on, such as "12.4".`;
    });
}

/** What a workload requires of the CUDA version of its machine. */
export interface CudaDemand {
  /** Empty for any. */
  allowed: readonly string[];
  minimum: string | null;
}

export const ANY_CUDA: CudaDemand = { allowed: [], minimum: null };

/** True if `version` satisfies the demand. An unknown version, null, satisfies only a demand for any. */
export function satisfiesCuda({ allowed, minimum }: CudaDemand, version: string | null): boolean {
  if (version === null) return allowed.length === 0 && minimum === null;
  return (
    (allowed.length === 0 || allowed.some((each) => compareCudaVersions(each, version) === 0)) &&
    (minimum === null || compareCudaVersions(version, minimum) >= 0)
  );
}

/** Such as "12.4 or 12.8", "12.4 or later". */
export function describeCudaDemand({ allowed, minimum }: CudaDemand): string {
  const parts = [...(allowed.length > 0 ? [allowed.join(" or ")] : [])];
  if (minimum !== null) parts.push(`${minimum} or later`);
  return parts.join(" and ");
}
