// Errors for names that the catalog does not contain, with suggestions.

import { nearestWord } from "../../base/text/nearest.ts";
import { type Catalog, type GpuType, idsOf } from "./catalog.ts";

/** The number of suggestions in a sentence. */
const FEW = 12;

/** A sentence for each unknown name in `field`; `kind` is a noun such as "a GPU type". */
export function unknownNames(
  field: string,
  names: readonly string[] | undefined,
  known: readonly string[],
  kind: string,
): string[] {
  return complaints(field, names, { known, kind, suggest: (name) => nearestWord(name, known) });
}

interface Vocabulary {
  known: readonly string[];
  kind: string;
  suggest: (name: string) => string | null;
}

function complaints(
  field: string,
  names: readonly string[] | undefined,
  { known, kind, suggest }: Vocabulary,
): string[] {
  return (names ?? [])
    .filter((id) => !known.includes(id))
    .slice(0, FEW)
    .map((id) => {
      const suggestion = suggest(id);
      const hint = suggestion
        ? `did you mean "${suggestion}"?`
        : known.length > FEW
          ? `there is, for one, "${known[0]}".`
          : `there are ${known.join(", ")}.`;
      return `"${field}" has ${JSON.stringify(id.slice(0, 80))}, which is not ${kind}; ${hint}`;
    });
}

/** GPU types have a suggestion of their own, because people name them in other ways than by their ids. */
export function unknownGpuTypes(
  field: string,
  names: readonly string[] | undefined,
  { gpuTypes }: Catalog,
): string[] {
  const suggest = (name: string) => nearestGpuType(gpuTypes, name);
  return complaints(field, names, { known: idsOf(gpuTypes), kind: "a GPU type", suggest });
}

/**
 * The type with this display name, else with the most words in common, else with the nearest spelling. A model such as
 * "4090" must be among the words in common: "NVIDIA RTX" alone names nothing.
 */
export function nearestGpuType(gpuTypes: readonly GpuType[], name: string): string | null {
  const words = wordsOf(name);
  const models = words.filter((word) => /\d/.test(word));
  const scored = gpuTypes.map(({ id, displayName }) => {
    const own = new Set([...wordsOf(id), ...wordsOf(displayName)]);
    const common = words.filter((word) => own.has(word));
    const named = wordsOf(displayName).join() === words.join();
    const fits = models.some((model) => common.includes(model));
    const score = named ? Number.POSITIVE_INFINITY : fits ? common.length - own.size / 100 : 0;
    return { id, score };
  });
  const best = scored.reduce((highest, each) => (each.score > highest.score ? each : highest));
  return best.score > 0 ? best.id : nearestWord(name, idsOf(gpuTypes));
}

/** "RTX4090-24GB" has the words rtx, 4090 and 24gb. */
function wordsOf(name: string): string[] {
  return (
    name
      .slice(0, 80)
      .toLowerCase()
      .match(/[a-z]*\d+[a-z]*|[a-z]+/g) ?? []
  ).flatMap((word) => word.split(/(?<=^(?:rtx|gtx))(?=\d)/));
}
