// Names that the catalog does not hold, and what was perhaps meant.

import { nearest } from "../../base/nearest.ts";

/** As many candidates as a sentence can carry. */
const FEW = 12;

/** A sentence for each name given in `field` that is not known; `kind` is "a GPU type". */
export function strangers(
  field: string,
  given: readonly string[] | undefined,
  known: readonly string[],
  kind: string,
): string[] {
  return (given ?? [])
    .filter((id) => !known.includes(id))
    .slice(0, FEW)
    .map((id) => {
      const meant = nearest(id, known);
      const hint = meant
        ? `did you mean "${meant}"?`
        : known.length > FEW
          ? `there is, for one, "${known[0]}".`
          : `there are ${known.join(", ")}.`;
      return `"${field}" has ${JSON.stringify(id.slice(0, 80))}, which is not ${kind}; ${hint}`;
    });
}
