// The check of the listening address: free, or used by the Freehold of this data folder.

import type { HomeConfig } from "../../app/config/home-config.ts";
import { originOf, otherPort } from "../../app/config/listen-address.ts";
import { findService, type Service } from "../client/running-service.ts";
import { LONGEST_CHECK_MS } from "./brief-request.ts";
import type { Finding } from "./finding.ts";
import { requireFree } from "./require-free.ts";

const about = "address";

export async function checkAddress(
  config: HomeConfig,
): Promise<{ finding: Finding; service: Service | null }> {
  const found = await findService(config, LONGEST_CHECK_MS);
  if ("origin" in found) {
    const says = `Freehold answers at ${found.origin}`;
    return { finding: { level: "ok", about, says }, service: found };
  }
  const { host, port } = config;
  const trouble = await troubleListening(host, port);
  const finding: Finding = trouble
    ? {
        level: "fail",
        about,
        says: `${host}:${port} ${trouble}`,
        mend: `stop what uses it, or choose another: --listen ${host}:${otherPort(port)}`,
      }
    : { level: "ok", about, says: `${originOf(config)} is free` };
  return { finding, service: null };
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
