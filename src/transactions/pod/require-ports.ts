// Checks that an account stays within its quota of public ports.

import { type PortLimits, tcpPorts } from "../../domain/container/ports.ts";
import { Fault } from "../../domain/fault.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import { holdAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { publicPortsOf } from "../../store/pod/ports.ts";

/**
 * Returns a fault if the account's other Pods leave too few public ports for this Pod, or for so many like it, or null. A stopped Pod
 * keeps its ports. Creations on different machines wait for each other here, so that each counts the others.
 */
export function* requirePublicPorts(
  { perAccount: limit }: PortLimits,
  { accountId, id, spec }: { accountId: string; id: string; spec: PodSpec },
  pods = 1,
): Tx<Fault | null> {
  const count = tcpPorts(spec.ports).length * pods;
  if (count === 0) return null;
  yield* holdAccount(accountId);
  const used = yield* publicPortsOf(accountId, id);
  return used + count > limit ? new Fault("too_many_ports", { count, used, limit }) : null;
}
