// Where something may run, in one text: data centers and countries by commas.

import type { Catalog } from "./catalog.ts";

/** The data centers that are meant; what is neither stays as it came. */
export function dataCentersIn({ dataCenters }: Catalog, locations: readonly string[]): string[] {
  const ids = locations.flatMap((place) => {
    const upper = place.toUpperCase();
    const inCountry = dataCenters.filter(({ countryCode }) => countryCode === upper);
    return inCountry.length > 0 ? inCountry.map(({ id }) => id) : [upper];
  });
  return [...new Set(ids)];
}

/** The same in short: a country for all of its data centers. */
export function locationsOf({ dataCenters }: Catalog, ids: readonly string[]): string {
  const short = ids.map((id) => {
    const country = dataCenters.find((each) => each.id === id)?.countryCode;
    const all = dataCenters.filter(({ countryCode }) => countryCode === country);
    return country && all.every((each) => ids.includes(each.id)) ? country : id;
  });
  return [...new Set(short)].join(",");
}
