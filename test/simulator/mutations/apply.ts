// Applies a mutation to a source file while it is loaded. The file itself stays as it is.

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { mutations } from "./catalog.ts";

const root = new URL("../../../", import.meta.url);

export function applyMutation(name: string): void {
  const mutation = mutations[name];
  if (!mutation) throw new Error(`no mutation is called ${JSON.stringify(name)}`);
  const url = new URL(mutation.file, root).href;
  registerHooks({
    load: (target, context, next) =>
      target === url
        ? { format: "module-typescript", source: mutated(name), shortCircuit: true }
        : next(target, context),
  });
}

/** The text of the file with the bug; throws if the file has changed so that it no longer applies. */
export function mutated(name: string): string {
  const { file, before, after } = mutations[name]!;
  const parts = readFileSync(fileURLToPath(new URL(file, root)), "utf8").split(before);
  if (parts.length !== 2)
    throw new Error(`the mutation ${JSON.stringify(name)} does not fit ${file} any more`);
  return parts.join(after);
}
