// The access that a Pod has to its own cluster: the service account that it runs under. The kubelet replaces the token
// before it expires, so its file is read again.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../../../base/clock.ts";
import { urlHost } from "../../../base/url-host.ts";
import { DriverUnavailable } from "../../driver.ts";
import type { ClusterAccess } from "./kubeconfig.ts";

const FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
/** Tokens are replaced minutes before they expire. */
const REREAD_MS = 60_000;

/** The message is a sentence for the operator. */
export class ServiceAccountError extends Error {
  override readonly name = "ServiceAccountError";
}

/** Throws ServiceAccountError. `folder` differs in tests only. */
export function serviceAccountAccess(
  env: Record<string, string | undefined>,
  clock: Clock,
  folder: string = FOLDER,
): ClusterAccess {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) {
    throw new ServiceAccountError(
      "Freehold does not run in a Kubernetes cluster: KUBERNETES_SERVICE_HOST is not set.",
    );
  }
  try {
    const token = tokenIn(path.join(folder, "token"), clock);
    token();
    return {
      context: "in-cluster",
      server: `https://${urlHost(host)}:${port}`,
      ca: readFileSync(path.join(folder, "ca.crt"), "utf8"),
      serverName: null,
      certificate: null,
      token,
    };
  } catch (error) {
    const { message } = error as Error;
    throw new ServiceAccountError(
      `The service account that Freehold runs under cannot be read (automountServiceAccountToken): ${message}.`,
    );
  }
}

function tokenIn(file: string, clock: Clock): () => string {
  let token = "";
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.ticks() - readAt < REREAD_MS) return token;
    try {
      token = readFileSync(file, "utf8").trim();
    } catch (error) {
      throw new DriverUnavailable((error as Error).message);
    }
    readAt = clock.ticks();
    return token;
  };
}
