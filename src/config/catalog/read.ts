// The catalog at the start of the service: the built-in file, extended and changed by the
// operator's file. Both are validated before anything else starts.

import { readFileSync } from "node:fs";
import path from "node:path";
import { parseJson } from "../../base/json/parse.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { type PartName, parsePartType } from "../../domain/catalog/slice-name.ts";
import { checkerOf, sentenceOf } from "../../edge/management/serve/validation-errors.ts";
import { type CatalogForm, catalogForm } from "./form.ts";

const BUILT_IN = path.join(import.meta.dirname, "catalog.json");
/** GPU types that are in the catalog once the operator's file or the price book has their prices. */
const UNPRICED = path.join(import.meta.dirname, "unpriced.json");

const check = checkerOf(catalogForm);

/** Appends to `errors` what is wrong with the operator's file, which is optional. */
export function readCatalog(file: string | null, cwd: string, errors: string[]): Catalog {
  const builtIn = JSON.parse(readFileSync(BUILT_IN, "utf8")) as CatalogForm;
  if (file === null) return catalogOf(builtIn);
  try {
    const own = parseJson(readFileSync(path.resolve(cwd, file), "utf8"));
    const merged = merge(builtIn, own as Record<string, unknown>);
    const wrong = check(merged);
    if (!wrong) return catalogOf(merged as unknown as CatalogForm, errors);
    const unknown = wrong.unknown.map((each) => `"${each.path}" is not known`);
    const sentences = [...unknown, ...wrong.others.map(sentenceOf)];
    errors.push(...sentences.map((sentence) => `the catalog ${file}: ${sentence}`));
  } catch (error) {
    errors.push(`the catalog ${file} cannot be read: ${(error as Error).message}`);
  }
  return catalogOf(builtIn);
}

const unpricedTypes = () =>
  JSON.parse(readFileSync(UNPRICED, "utf8")) as Omit<Catalog["gpuTypes"][number], "prices">[];

/** The built-in catalog. */
export const builtInCatalog = (): Catalog => readCatalog(null, "", []);

/** An entry with a known id changes that entry; one with a new id is added. */
function merge(builtIn: CatalogForm, own: Record<string, unknown>): Record<string, unknown> {
  if (typeof own !== "object" || own === null || Array.isArray(own)) {
    throw new Error("it must hold a JSON object");
  }
  const { gpuTypeAliases, cudaVersions } = own;
  return {
    ...builtIn,
    ...own,
    gpuTypes: withSliceEntries(builtIn, mergeById(builtIn.gpuTypes, own.gpuTypes, unpricedTypes())),
    cpuFlavors: mergeById(builtIn.cpuFlavors, own.cpuFlavors),
    dataCenters: mergeById(builtIn.dataCenters, own.dataCenters),
    gpuTypeAliases: { ...builtIn.gpuTypeAliases, ...(gpuTypeAliases as object | undefined) },
    cudaVersions: cudaVersions ?? builtIn.cudaVersions,
    storage: { ...builtIn.storage, ...(own.storage as object | undefined) },
  };
}

/** What an entry of a MIG device or a share leaves out follows from that of its GPU. */
function withSliceEntries(builtIn: CatalogForm, merged: unknown): unknown {
  if (!Array.isArray(merged)) return merged;
  const entries = merged as Partial<GpuEntry>[];
  const isBuiltIn = ({ id }: Partial<GpuEntry>) => builtIn.gpuTypes.some((each) => each.id === id);
  return entries.map((entry) => {
    const name =
      !isBuiltIn(entry) && typeof entry?.id === "string" ? parsePartType(entry.id) : null;
    const whole = name && entries.find(({ id }) => id === name.whole);
    return name && whole ? { ...sliceEntry(whole, name), ...entry } : entry;
  });
}

type GpuEntry = CatalogForm["gpuTypes"][number];

function sliceEntry(whole: Partial<GpuEntry>, { part, memoryInGb, shareOf }: PartName) {
  const share = shareOf(whole.memoryInGb ?? memoryInGb);
  const prices = Object.entries(whole).flatMap(([field, value]) =>
    /price/i.test(field) ? [[field, Number(value) * share]] : [],
  );
  const displayName = `${whole.displayName} ${part}`;
  const { manufacturer } = whole;
  return { ...Object.fromEntries(prices), displayName, manufacturer, memoryInGb, pool: null };
}

type Entries = readonly { id: string }[];

/** `templates` are entries that count only if the operator's file has them, too. */
function mergeById(builtIn: Entries, own: unknown, templates: Entries = []): unknown {
  if (own === undefined) return builtIn;
  if (!Array.isArray(own)) return own;
  const merged = new Map<unknown, object>(builtIn.map((each) => [each.id, each]));
  const templateOf = (id: unknown) => templates.find((each) => each.id === id);
  for (const each of own as { id?: unknown }[]) {
    merged.set(each?.id, { ...(merged.get(each?.id) ?? templateOf(each?.id)), ...each });
  }
  return [...merged.values()];
}

function catalogOf(form: CatalogForm, errors: string[] = []): Catalog {
  for (const [alias, id] of Object.entries(form.gpuTypeAliases)) {
    if (form.gpuTypes.some((type) => type.id === id)) continue;
    errors.push(
      `the catalog has the alias "${alias}" for "${id}", which is not one of its GPU types`,
    );
  }
  const gpuTypes = form.gpuTypes.map((each) => {
    const { securePrice, communityPrice, secureSpotPrice, communitySpotPrice, ...rest } = each;
    const { serverlessPricePerSecond: perSecond, threeMonthPrice, sixMonthPrice, ...type } = rest;
    const prices = {
      secure: micros(securePrice),
      community: micros(communityPrice),
      secureSpot: micros(secureSpotPrice),
      communitySpot: micros(communitySpotPrice),
      serverless:
        perSecond === undefined ? micros(securePrice) : micros(perSecond * SECONDS_PER_HOUR),
      threeMonth: threeMonthPrice === undefined ? null : micros(threeMonthPrice),
      sixMonth: sixMonthPrice === undefined ? null : micros(sixMonthPrice),
    };
    return { ...type, prices };
  });
  const cpuFlavors = form.cpuFlavors.map((each) => {
    return { ...each, pricePerVcpu: micros(each.pricePerVcpu) };
  });
  const { storage } = form;
  return {
    ...form,
    gpuTypes,
    namedTypes: unpricedTypes().map(({ pool: _, ...type }) => type),
    cpuFlavors,
    storage: {
      containerDisk: micros(storage.containerDisk),
      volumeRunning: micros(storage.volumeRunning),
      volumeStopped: micros(storage.volumeStopped),
      networkVolume: micros(storage.networkVolume),
      networkVolumeBeyond: micros(storage.networkVolumeBeyond),
    },
  };
}

const SECONDS_PER_HOUR = 3_600;

const micros = (dollars: number) => Math.round(dollars * 1_000_000);
