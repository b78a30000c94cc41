// The check for endpoints whose name or id is a reserved first segment of /v2.

import { reservedWords } from "../../domain/reserved-words.ts";
import type { RunningService } from "../client/running-service.ts";
import { askBriefly } from "./brief-request.ts";
import type { Finding } from "./finding.ts";

const about = "endpoint name";

/** Empty if the service does not run, or its key cannot read endpoints. */
export async function checkReservedNames(service: RunningService | null): Promise<Finding[]> {
  if (service === null) return [];
  const { answer, slow } = await askBriefly<{ id: string; name: string }[]>(
    service,
    "/v1/endpoints",
    about,
  );
  const reserved = (answer ?? []).flatMap(({ id, name }) => {
    if (reservedWords.has(id)) return [unreachable(id)];
    return reservedWords.has(name.trim().toLowerCase()) ? [ambiguous(id, name)] : [];
  });
  return [...slow, ...reserved];
}

function ambiguous(id: string, name: string): Finding {
  return {
    level: "warn",
    about,
    says: `endpoint ${id} is named "${name}", which REST v2 reserves at /v2/${name.trim()}`,
    fix: `its queue is at /v2/${id}; rename it so that its name is not taken for an address`,
  };
}

function unreachable(id: string): Finding {
  return {
    level: "warn",
    about,
    says: `endpoint "${id}" has an id that REST v2 reserves, so no client reaches its queue`,
    fix: "create an endpoint with the same template and delete this one",
  };
}
