// The setting that names machines at addresses of their own: each as the management interface takes it,
// with files where that takes their text.

import { readFileSync } from "node:fs";
import path from "node:path";
import { type MachineCreate, machineCreate } from "../contract/rest-v1/machine.ts";
import type { Catalog } from "../domain/catalog/catalog.ts";
import { remoteMistakes } from "../domain/machine/wishes.ts";
import { tlsKeysIn } from "../drivers/docker/address.ts";
import { machineOf } from "../edge/rest-v1/machines.ts";
import { checkerOf } from "../edge/rest-v1/mistakes.ts";
import type { NewMachine } from "../flows/machine/add.ts";

const check = checkerOf(machineCreate);

/** `folder` is what the names of files are relative to. */
export function readMachines(
  given: string | null,
  catalog: Catalog,
  folder: string,
  mistakes: string[],
): NewMachine[] {
  if (given === null) return [];
  const entries = parsed(given);
  if (!entries) {
    mistakes.push('FREEHOLD_MACHINES takes a JSON array such as [{"address": "ssh://me@gpu1"}]');
    return [];
  }
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    const { address } = (entry ?? {}) as { address?: unknown };
    const which = typeof address === "string" ? `"${address}"` : `the one at ${index}`;
    const found = readOne(entry, catalog, folder);
    if (!Array.isArray(found) && !seen.has(found.address)) {
      seen.add(found.address);
      return [found];
    }
    const wrong = Array.isArray(found) ? found : ["is there twice"];
    mistakes.push(...wrong.map((sentence) => `FREEHOLD_MACHINES: ${which}: ${sentence}`));
    return [];
  });
}

/** Or what is wrong with it, a sentence each. */
function readOne(entry: unknown, catalog: Catalog, folder: string): NewMachine | string[] {
  let wanted: unknown;
  try {
    wanted = withFiles(entry, folder);
  } catch (error) {
    return [(error as Error).message];
  }
  const wrong = check(wanted);
  if (wrong) {
    const unknown = wrong.unknown.map(({ path, known }) => {
      return `"${path}" is not known; there are ${known.join(", ")}`;
    });
    return [...unknown, ...wrong.sentences.map((sentence) => sentence.replace(/^The body/, "it"))];
  }
  const machine = machineOf(wanted as MachineCreate);
  const { address, secrets, offer } = machine;
  const odd = remoteMistakes(catalog, address, secrets, offer);
  return odd.length > 0 ? odd : machine;
}

/** A text that is no key names the file with it, and one in the place of TLS's keys their folder. */
function withFiles(entry: unknown, folder: string): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const { identity, tls, ...rest } = entry as Record<string, unknown>;
  const isFile = typeof identity === "string" && !identity.startsWith("-----BEGIN");
  return {
    ...rest,
    ...(identity !== undefined && {
      identity: isFile ? readFileSync(path.resolve(folder, identity), "utf8") : identity,
    }),
    ...(tls !== undefined && {
      tls: typeof tls === "string" ? tlsKeysIn(path.resolve(folder, tls)) : tls,
    }),
  };
}

function parsed(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
