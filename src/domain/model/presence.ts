// Which machines have the models that a worker needs. Pure.

import type { Inventory, MachineModel } from "../machine/inventory.ts";
import { nameText, storedReference } from "./reference.ts";

export const NO_MODEL_CACHE = "it has no model cache";

/** owner/name of each reference of an endpoint. */
export function modelNames(references: readonly string[]): string[] {
  return references.map((url) => nameText(storedReference(url)));
}

/** Nodes of Kubernetes run containers elsewhere than the cache is. */
export function canHaveModels({ models, node }: Pick<Inventory, "models" | "node">): boolean {
  return models !== undefined && node === undefined;
}

/** How many of the models a machine would have to download. */
export function missingModels(
  names: readonly string[],
  { models = [] }: Pick<Inventory, "models">,
): number {
  const present = new Set(models.filter(isComplete).map(({ model }) => model));
  return names.filter((name) => !present.has(name)).length;
}

const isComplete = ({ bytes, downloadedBytes }: MachineModel) =>
  bytes > 0 && downloadedBytes >= bytes;
