// The machines and clusters that could run a workload and are offline: a refusal names them.

import type { PassedOver } from "../../domain/fault.ts";
import { driverOfRemote } from "../../domain/machine/remote.ts";
import { driverOn } from "../../domain/placement/driver-on.ts";
import type { PlacementRequest } from "../../domain/placement/request.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { remoteMachines } from "../../store/remote-machine/remote-machine.ts";
import { liveMachines } from "../../store/replica/replica.ts";
import type { Search } from "./places.ts";

export function* offlineRemotes(
  { driver }: Pick<PlacementRequest, "driver">,
  { since, machine }: Search,
): Tx<PassedOver[]> {
  if (machine !== null) return [];
  const remotes = (yield* remoteMachines()).filter(
    (remote) => driverOn([driverOfRemote(remote)], driver) !== null,
  );
  if (remotes.length === 0) return [];
  const live = (yield* liveMachines(since)).map((each) => each.machine);
  return remotes
    .filter(({ id }) => !live.some((each) => each === id || each.startsWith(`${id}-`)))
    .map(({ id, name }) => ({ machine: name || id, reason: "it is offline" }));
}
