// The data center that a workload is in. Pure.

import type { Catalog } from "../catalog/catalog.ts";

/**
 * The machine's data center, or the first requested one: a machine that declares none matches any.
 */
export function dataCenterOf(
  declared: string | null | undefined,
  requested: readonly string[],
): string | null {
  return declared ?? requested[0] ?? null;
}

/** The location in words, from the machine's declarations or from its data center. */
export function locationIn(
  { dataCenters }: Catalog,
  declared: { location: string | null; countryCode: string | null } | undefined,
  dataCenterId: string | null,
): string | null {
  const center = dataCenters.find(({ id }) => id === dataCenterId);
  return declared?.location ?? center?.location ?? declared?.countryCode ?? null;
}
