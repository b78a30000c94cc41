// The setting that lists machines at addresses of their own. Each entry has the form that the
// management interface takes, with file names in place of their text.

import { readFileSync } from "node:fs";
import path from "node:path";
import { parseJson } from "../../base/json/parse.ts";
import { type MachineCreate, machineCreate } from "../../contract/rest-v1/machine/machine-write.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { validateOffer, validateRemote } from "../../domain/machine/machine-request.ts";
import { type EngineAddress, tlsKeysIn } from "../../drivers/docker/engine-address.ts";
import { checkerOf, sentenceOf } from "../../edge/management/serve/validation-errors.ts";
import { type DesiredMachine, desiredMachine } from "../../edge/rest-v1/machine/desired-machine.ts";
import type { NewMachine } from "../../flows/machine/add.ts";
import type { NewKubernetesCluster } from "../../flows/machine/add-cluster.ts";

const check = checkerOf(machineCreate);

export interface ConfiguredMachines {
  machines: NewMachine[];
  /** Their addresses are in their kubeconfigs, which the start reads. */
  clusters: NewKubernetesCluster[];
}

/** `folder` is the base of relative file names. */
export function readMachines(
  setting: string | null,
  catalog: Catalog,
  folder: string,
  errors: string[],
): ConfiguredMachines {
  const found: ConfiguredMachines = { machines: [], clusters: [] };
  if (setting === null) return found;
  const entries = parsed(setting);
  if (!entries) {
    errors.push('FREEHOLD_MACHINES takes a JSON array such as [{"address": "ssh://me@gpu1"}]');
    return found;
  }
  entries.forEach((entry, index) => {
    const wrong = addTo(found, readOne(entry, catalog, folder));
    const which = nameOf(entry, index);
    errors.push(...wrong.map((sentence) => `FREEHOLD_MACHINES: ${which}: ${sentence}`));
  });
  return found;
}

function nameOf(entry: unknown, index: number): string {
  const { address, name } = (entry ?? {}) as { address?: unknown; name?: unknown };
  const text = [address, name].find((each) => typeof each === "string");
  return text === undefined ? `the one at ${index}` : `"${text}"`;
}

/** Returns the errors, one sentence each. */
function addTo({ machines, clusters }: ConfiguredMachines, desired: DesiredMachine | string[]) {
  if (Array.isArray(desired)) return desired;
  if ("error" in desired) return [desired.error];
  if ("cluster" in desired) {
    clusters.push(desired.cluster);
    return [];
  }
  const { machine } = desired;
  if (machines.some(({ address }) => address === machine.address)) return ["is listed twice"];
  machines.push(machine);
  return [];
}

/** The machine, or its errors, one sentence each. */
function readOne(entry: unknown, catalog: Catalog, folder: string): DesiredMachine | string[] {
  let body: unknown;
  try {
    body = withFiles(entry, folder);
  } catch (error) {
    return [(error as Error).message];
  }
  const wrong = check(body);
  if (wrong) {
    const unknown = wrong.unknown.map(({ path, known }) => {
      return `"${path}" is not known; there are ${known.join(", ")}`;
    });
    return [...unknown, ...wrong.others.map((each) => sentenceOf(each).replace(/^The body/, "it"))];
  }
  const desired = desiredMachine(body as MachineCreate);
  const odd = validated(catalog, desired);
  return odd.length > 0 ? odd : desired;
}

function validated(catalog: Catalog, desired: DesiredMachine): string[] {
  if ("error" in desired) return [];
  if ("cluster" in desired) return validateOffer(catalog, desired.cluster.offer);
  const { address, secrets, offer } = desired.machine;
  return validateRemote(catalog, address, secrets, offer);
}

/**
 * A text that is not a key, or not a kubeconfig, is the name of its file; for TLS keys, the name of
 * their folder.
 */
function withFiles(entry: unknown, folder: string): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const { identity, kubeconfig, tls, ...rest } = entry as Record<string, unknown>;
  const textOf = (value: unknown, isText: (value: string) => boolean) =>
    typeof value === "string" && !isText(value)
      ? readFileSync(path.resolve(folder, value), "utf8")
      : value;
  return {
    ...rest,
    ...(identity !== undefined && {
      identity: textOf(identity, (text) => text.startsWith("-----BEGIN")),
    }),
    ...(kubeconfig !== undefined && {
      kubeconfig: textOf(kubeconfig, (text) => /[\n{]/.test(text)),
    }),
    ...(tls !== undefined && {
      tls: typeof tls === "string" ? tlsKeysIn(path.resolve(folder, tls)) : tls,
    }),
  };
}

function parsed(text: string): unknown[] | null {
  try {
    const value = parseJson(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

interface EngineSettings {
  dockerHost: string;
  dockerCertificates: string | null;
}

/** Where this machine's own engine answers. */
export function engineAddress({ dockerHost, dockerCertificates }: EngineSettings): EngineAddress {
  return {
    host: dockerHost,
    tls: dockerCertificates === null ? null : tlsKeysIn(dockerCertificates),
  };
}
