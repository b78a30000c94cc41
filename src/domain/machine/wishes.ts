// What is wrong with what somebody says of a machine. Pure.

import { type Catalog, idsOf } from "../catalog/catalog.ts";
import { strangers } from "../catalog/strangers.ts";
import type { Declared } from "./inventory.ts";
import { type RemoteOffer, type RemoteSecrets, remoteAddressOf } from "./remote.ts";

/** A sentence for each name that the catalog does not hold. */
export function declaredMistakes(catalog: Catalog, declared: Declared): string[] {
  const { dataCenterId, cudaVersion } = declared;
  const centers = dataCenterId === undefined ? [] : [dataCenterId];
  const versions = cudaVersion === undefined ? [] : [cudaVersion];
  return [
    ...strangers("dataCenterId", centers, idsOf(catalog.dataCenters), "a data center"),
    ...strangers("cudaVersion", versions, catalog.cudaVersions, "a CUDA version we know"),
  ];
}

/** The same of a machine at an address of its own, as it is to be added. */
export function remoteMistakes(
  catalog: Catalog,
  address: string,
  { identity, tls }: RemoteSecrets,
  { declared, virtualGpus, gpus }: RemoteOffer,
): string[] {
  const types = idsOf(catalog.gpuTypes);
  return [
    ...wayMistakes(address, { identity, tls }, declared),
    ...declaredMistakes(catalog, declared),
    ...strangers("virtualGpus", Object.keys(virtualGpus), types, "a GPU type"),
    ...strangers("gpus", Object.keys(gpus), types, "a GPU type"),
  ];
}

function wayMistakes(
  address: string,
  { identity, tls }: { [Name in keyof RemoteSecrets]: RemoteSecrets[Name] | undefined },
  declared: Declared,
): string[] {
  const way = remoteAddressOf(address);
  if (way === null) {
    return ['"address" takes ssh://user@host, ssh://user@host:port/socket or tcp://host:port.'];
  }
  const mistakes: string[] = [];
  if (way.by === "ssh" && tls) mistakes.push('"tls" is for tcp://; ssh:// takes "identity".');
  if (way.by === "tcp" && identity) mistakes.push('"identity" is for ssh://; tcp:// takes "tls".');
  // Whoever reaches such a port has the machine.
  if (way.by === "tcp" && !tls) mistakes.push('tcp:// takes "tls" with "ca", "cert" and "key".');
  if (way.by === "tcp" && declared.diskInGb === undefined) {
    mistakes.push('Over tcp:// nobody can look at the disk: "declare" must say its "diskInGb".');
  }
  return mistakes;
}
