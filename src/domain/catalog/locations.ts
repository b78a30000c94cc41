// A list of allowed locations as text: data centers and countries, separated by commas.

import type { Catalog } from "./catalog.ts";

/**
 * Parses a list into data centers; an item that is neither a data center nor a country is returned
 * unchanged.
 */
export function dataCentersIn({ dataCenters }: Catalog, locations: readonly string[]): string[] {
  const ids = locations.flatMap((place) => {
    const upper = place.toUpperCase();
    const inCountry = dataCenters.filter(({ countryCode }) => countryCode === upper);
    return inCountry.length > 0 ? inCountry.map(({ id }) => id) : [upper];
  });
  return [...new Set(ids)];
}

/** The text that the client sent, if it still resolves to these data centers; otherwise their ids. */
export function locationsOf(catalog: Catalog, ids: readonly string[], sent: string): string {
  const resolved = dataCentersIn(
    catalog,
    sent.split(",").flatMap((part) => part.trim() || []),
  );
  return sent !== "" && resolved.join() === ids.join() ? sent : ids.join(",");
}
