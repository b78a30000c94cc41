// The setting that lists machines at addresses of their own. Each entry has the form that the
// management interface takes, with file names in place of their text.

import { readFileSync } from "node:fs";
import path from "node:path";
import { type MachineCreate, machineCreate } from "../../contract/rest-v1/machine/machine.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { validateRemote } from "../../domain/machine/machine-request.ts";
import { tlsKeysIn } from "../../drivers/docker/engine-address.ts";
import { machineOf } from "../../edge/rest-v1/machine/machines.ts";
import { checkerOf, sentenceOf } from "../../edge/rest-v1/serve/validation-errors.ts";
import type { NewMachine } from "../../flows/machine/add.ts";

const check = checkerOf(machineCreate);

/** `folder` is the base of relative file names. */
export function readMachines(
  setting: string | null,
  catalog: Catalog,
  folder: string,
  errors: string[],
): NewMachine[] {
  if (setting === null) return [];
  const entries = parsed(setting);
  if (!entries) {
    errors.push('FREEHOLD_MACHINES takes a JSON array such as [{"address": "ssh://me@gpu1"}]');
    return [];
  }
  const names = new Set<string>();
  return entries.flatMap((entry, index) => {
    const { address } = (entry ?? {}) as { address?: unknown };
    const which = typeof address === "string" ? `"${address}"` : `the one at ${index}`;
    const found = readOne(entry, catalog, folder);
    if (!Array.isArray(found) && !names.has(found.address)) {
      names.add(found.address);
      return [found];
    }
    const wrong = Array.isArray(found) ? found : ["is listed twice"];
    errors.push(...wrong.map((sentence) => `FREEHOLD_MACHINES: ${which}: ${sentence}`));
    return [];
  });
}

/** Or the errors, one sentence each. */
function readOne(entry: unknown, catalog: Catalog, folder: string): NewMachine | string[] {
  let desired: unknown;
  try {
    desired = withFiles(entry, folder);
  } catch (error) {
    return [(error as Error).message];
  }
  const wrong = check(desired);
  if (wrong) {
    const unknown = wrong.unknown.map(({ path, known }) => {
      return `"${path}" is not known; there are ${known.join(", ")}`;
    });
    return [...unknown, ...wrong.others.map((each) => sentenceOf(each).replace(/^The body/, "it"))];
  }
  const { kubeconfig, context, ...rest } = desired as MachineCreate;
  if (kubeconfig !== undefined || context !== undefined) {
    return ["a cluster is added with `freehold machine add kubernetes`, which tries it first"];
  }
  const machine = machineOf(rest);
  const { address, secrets, offer } = machine;
  const odd = validateRemote(catalog, address, secrets, offer);
  return odd.length > 0 ? odd : machine;
}

/** A text that is not a key is the name of its file; for TLS keys, the name of their folder. */
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
