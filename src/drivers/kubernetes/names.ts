// The names and labels of Freehold's objects in a cluster. Ids may hold upper case letters and be longer than names and
// labels may be, so both hold digests; the ids are annotations.

import { createHash } from "node:crypto";
import type { VolumeName } from "../driver.ts";

/** The owner of Pods. Others in the same cluster are left alone. */
export interface Owner {
  installation: string;
  machine: string;
}

export const LABEL = {
  installation: "freehold.dev/installation",
  machine: "freehold.dev/machine",
  /** The name of a Pod, on it and on what leads to it. */
  pod: "freehold.dev/pod",
} as const;

export const ANNOTATION = {
  workload: "freehold.dev/workload",
  account: "freehold.dev/account",
  publicIp: "freehold.dev/public-ip",
} as const;

/** Keeps a deleted Pod visible until its end has been observed. */
export const FINALIZER = "freehold.dev/observed";

const DIGEST_CHARS = 20;

const digest = (...parts: string[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, DIGEST_CHARS);

/** The machines of an installation share the claims of network volumes. */
export const claimName = ({ installation, machine }: Owner, { kind, name }: VolumeName) =>
  kind === "pod"
    ? `fh-${digest(machine, "volume", name)}`
    : `fh-${digest(installation, "network volume", name)}`;

export const podName = ({ machine }: Owner, id: string) => `fh-${digest(machine, id)}`;

/** One for each account, so that policies can separate accounts. */
export const namespaceOf = ({ installation }: Owner, account: string) =>
  `freehold-${digest(installation, account)}`;

/** The label value of a machine's Pods. */
export const machineDigest = ({ machine }: Pick<Owner, "machine">) => digest(machine);

export const ownerLabels = ({ installation, machine }: Owner) => ({
  [LABEL.installation]: digest(installation),
  [LABEL.machine]: machineDigest({ machine }),
});

/** The labels of what belongs to no machine. */
export const installationLabels = ({ installation }: Pick<Owner, "installation">) => ({
  [LABEL.installation]: digest(installation),
});

/** Selects the Pods of all machines of an installation. */
export const installationSelector = (installation: string) =>
  `${LABEL.installation}=${digest(installation)}`;
