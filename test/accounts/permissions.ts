// The table of permissions, measured by calling every route and GraphQL root with a key of every
// role and permission. The result is committed beside this file.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { TestService } from "../fixtures/service/service.ts";
import { graphql } from "./separation/graphql.ts";
import { routes } from "./separation/routes.ts";

export const TABLE = path.join(import.meta.dirname, "permissions.txt");

const keys: Record<string, object> = {
  "rest-read": { rest: "read" },
  "rest-write": { rest: "write" },
  "graphql-read": { graphql: "read" },
  "graphql-write": { graphql: "write" },
  "queue-read": { queue: "read" },
  "queue-write": { queue: "write" },
};
const roles = ["basic", "billing", "member", "dev", "admin"];

/** Every requested id is unknown, except for resources that every account has. */
const nothing = new Proxy({}, { get: () => "nobody" }) as Record<string, string>;
const nobody = { endpointId: "nobody", podId: "nobody" };

/** A line per route and root: its name, and the roles and permissions that it accepts. */
export async function whoMay(service: TestService): Promise<string[]> {
  const holders = await holdersIn(service);
  const lines: string[] = [];
  for (const [name, { outcome, body }] of Object.entries(routes)) {
    if (name === "POST /graphql") continue;
    const [method, place] = name.split(" ") as [string, string];
    const address = place.replace(/:\w+|\*/g, "nobody");
    const payload = body?.(nothing, nobody);
    const ask = (as: Record<string, string>) =>
      outcome === "endless"
        ? begun(service, address, as)
        : service.call(method, address, payload, as);
    lines.push(await line(name, holders, ask));
  }
  for (const [name, { document }] of Object.entries(graphql)) {
    const body = { query: document(nothing) };
    lines.push(await line(name, holders, (as) => service.call("POST", "/graphql", body, as)));
  }
  return lines;
}

/** Does not wait for a streamed response. */
async function begun(service: TestService, address: string, headers: Record<string, string>) {
  const response = await fetch(service.origin + address, { headers });
  await response.body?.cancel();
  return response;
}

export function committed(): string[] {
  return readFileSync(TABLE, "utf8").trim().split("\n");
}

type Holders = [name: string, headers: Record<string, string>][];

async function holdersIn(service: TestService): Promise<Holders> {
  const holders: Holders = [];
  const add = (name: string, key: string) =>
    holders.push([name, { authorization: `Bearer ${key}` }]);
  for (const role of roles) {
    const invited = { email: `${role}@example.org`, role };
    const { token } = (await service.call("POST", "/v1/invitations", invited)).json;
    add(role, (await service.call("POST", "/v1/invitations/accept", { token })).json.key);
  }
  for (const [name, permissions] of Object.entries(keys)) {
    add(name, (await service.call("POST", "/v1/keys", { name, permissions })).json.key);
  }
  return holders;
}

async function line(
  name: string,
  holders: Holders,
  ask: (headers: Record<string, string>) => Promise<{ status: number }>,
): Promise<string> {
  const answers = holders.map(async ([holder, headers]) =>
    (await ask(headers)).status === 403 ? [] : [holder],
  );
  const may = (await Promise.all(answers)).flat();
  return `${name}: ${may.join(" ") || "nobody"}`;
}
