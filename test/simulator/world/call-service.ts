// A call of a client, which is counted and traced. An answer of 500 or more is a violation, unless a fault caused it.

import { type Simulation, Violation } from "../model.ts";

/** Clients know the lack of room by its status 500. */
const NO_ROOM = new Set(["no_capacity", "machine_full"]);

export async function callService(
  { world, trace, coverage }: Pick<Simulation, "world" | "trace" | "coverage">,
  ...[account, method, address, body]: Parameters<Simulation["call"]>
): ReturnType<Simulation["call"]> {
  const answer = await world.call(method, address, body, account.key);
  const { status, json, fault } = answer;
  const code: string = json?.code ?? "";
  trace(`${method} ${address} ${status} ${code}`);
  coverage.count("answer", `${method} ${routeOf(address)} ${status}${code && ` ${code}`}`);
  if (status >= 500 && !fault && !NO_ROOM.has(code))
    throw new Violation("no request fails for no reason", `${method} ${address}: ${code}`);
  return answer;
}

/** Without ids: `/v1/pods`, `/v2/.../run`. */
function routeOf(address: string): string {
  const [, version, noun, operation] = address.split("/");
  return version === "v1" ? `/v1/${noun}` : `/v2/.../${operation}`;
}
