// The check of the listening address: free, or used by the Freehold of this data folder.

import { createServer } from "node:net";
import type { HomeConfig } from "../../config/home-config.ts";
import { type Address, originOf, otherPort } from "../../config/network/listen-address.ts";
import { findService, type RunningService } from "../client/running-service.ts";
import { LONGEST_CHECK_MS, LONGEST_CHECK_S } from "./brief-request.ts";
import type { Finding } from "./finding.ts";

const about = "address";

/** `isSilent` tells that a service may run, which does not answer. */
export async function checkAddress(
  config: HomeConfig,
): Promise<{ finding: Finding; service: RunningService | null; isSilent: boolean }> {
  const found = await findService(config, LONGEST_CHECK_MS);
  if ("origin" in found) {
    const says = `Freehold answers at ${found.origin}`;
    return { finding: { level: "ok", about, says }, service: found, isSilent: false };
  }
  if (found.silent !== null) {
    const finding: Finding = {
      level: "fail",
      about,
      says: `${found.silent} accepts connections and did not answer within ${LONGEST_CHECK_S} s; what a service there knows was not checked`,
      fix: "wait for a busy service, restart one that hangs, or stop what else uses the address",
    };
    return { finding, service: null, isSilent: true };
  }
  const { host, port } = config;
  const trouble = await troubleListening(host, port);
  const finding: Finding = trouble
    ? {
        level: "fail",
        about,
        says: `${host}:${port} ${trouble}`,
        fix: `stop what uses it, or choose another: --listen ${host}:${otherPort(port)}`,
      }
    : { level: "ok", about, says: `${originOf(config)} is free` };
  return { finding, service: null, isSilent: false };
}

/** Returns why the address cannot be bound, or null. */
async function troubleListening(host: string, port: number): Promise<string | null> {
  try {
    await requireFree({ host, port });
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "EADDRINUSE"
      ? "is taken, and not by the Freehold of this data folder"
      : message;
  }
}

/** Rejects with the system error of a server that cannot listen there. */
function requireFree(at: Address): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ ...at, exclusive: true }, () => server.close(() => resolve()));
  });
}
