// The validation of a machine request. Pure.

import { type Catalog, idsOf } from "../catalog/catalog.ts";
import { cudaVersionErrors } from "../catalog/cuda-version.ts";
import { unknownGpuTypes, unknownNames } from "../catalog/unknown-names.ts";
import type { Declared } from "./inventory.ts";
import {
  type ClusterOffer,
  type RemoteOffer,
  type RemoteSecrets,
  remoteAddressOf,
} from "./remote.ts";

/** A sentence for each name that the catalog does not contain. */
export function validateDeclared(catalog: Catalog, declared: Declared): string[] {
  const { dataCenterId, cudaVersion } = declared;
  const centers = dataCenterId === undefined ? [] : [dataCenterId];
  const versions = cudaVersion === undefined ? [] : [cudaVersion];
  return [
    ...unknownNames("dataCenterId", centers, idsOf(catalog.dataCenters), "a data center"),
    ...cudaVersionErrors("cudaVersion", versions, catalog),
  ];
}

/** Validates a remote machine that is to be added; a sentence for each error. */
export function validateRemote(
  catalog: Catalog,
  address: string,
  secrets: RemoteSecrets,
  offer: RemoteOffer,
): string[] {
  return [...connectionErrors(address, secrets, offer.declared), ...validateOffer(catalog, offer)];
}

/** Validates what the operator of a machine declares. */
export function validateOffer(
  catalog: Catalog,
  { declared, simulatedGpus, gpus, cluster = {} }: RemoteOffer,
): string[] {
  return [
    ...clusterErrors(cluster),
    ...validateDeclared(catalog, declared),
    ...unknownGpuTypes("simulatedGpus", Object.keys(simulatedGpus), catalog),
    ...unknownGpuTypes("gpus", Object.keys(gpus), catalog),
  ];
}

function clusterErrors({ publicPorts, nodePorts }: ClusterOffer): string[] {
  if (!nodePorts) return [];
  if (nodePorts.first > nodePorts.last) return ['"nodePorts" must have "first" before "last".'];
  return publicPorts === "LoadBalancer" ? ['"nodePorts" excludes "LoadBalancer".'] : [];
}

function connectionErrors(
  address: string,
  { identity, tls, cluster }: RemoteSecrets,
  declared: Declared,
): string[] {
  if (address === "") return ['"address" is missing.'];
  const way = remoteAddressOf(address);
  if (way === null) {
    return ['"address" takes ssh://user@host, ssh://user@host:port/socket or tcp://host:port.'];
  }
  const errors: string[] = [];
  if (way.by === "kubernetes" && !cluster) {
    errors.push('A Kubernetes cluster takes "kubeconfig" in place of "address".');
  }
  if (way.by === "ssh" && tls) errors.push('"tls" is for tcp://; ssh:// takes "identity".');
  if (way.by === "tcp" && identity) errors.push('"identity" is for ssh://; tcp:// takes "tls".');
  // Any client that can connect to an engine's port without TLS controls the machine.
  if (way.by === "tcp" && !tls) errors.push('tcp:// takes "tls" with "ca", "cert" and "key".');
  if (way.by === "tcp" && declared.diskInGb === undefined) {
    errors.push('Freehold cannot measure the disk over tcp://: "declare" must contain "diskInGb".');
  }
  return errors;
}
