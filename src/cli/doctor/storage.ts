// The check for accounts that near their storage limit.

import type { ManagedAccount } from "../../contract/rest-v1/account/accounts.ts";
import type { RunningService } from "../client/running-service.ts";
import { askBriefly } from "./brief-request.ts";
import type { Finding } from "./finding.ts";

const about = "storage";
const NEAR_PART = 0.9;
const GB = 1e9;

/** Empty if the service does not run, its key is not the operator's, or no account is near. */
export async function checkStorage(service: RunningService | null): Promise<Finding[]> {
  if (service === null) return [];
  const path = "/v1/accounts?includeStorage=true";
  const { answer, slow } = await askBriefly<ManagedAccount[]>(service, path, about);
  const near = (answer ?? []).flatMap(({ name, storage }): Finding[] => {
    const { bytes = 0, limitBytes = Number.POSITIVE_INFINITY } = storage ?? {};
    if (bytes < limitBytes * NEAR_PART) return [];
    const percent = Math.floor((100 * bytes) / limitBytes);
    const says = `account ${name} stores ${percent}% of its ${limitBytes / GB} GB; beyond them what it creates is refused`;
    const fix =
      "set a shorter retention on its endpoints, delete what it does not need, or raise storagePerAccount; see docs/durability.md";
    return [{ level: "warn", about, says, fix }];
  });
  return [...slow, ...near];
}
