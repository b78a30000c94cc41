// The public ports of a Pod. A stopped Pod keeps its own.

import {
  drawPorts,
  drawSeed,
  type PortRange,
  type PublicPorts,
} from "../../domain/container/ports.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { portsOn, removePorts, replacePorts } from "../../store/pod/ports.ts";
import { changePod } from "../../store/pod/row.ts";

/**
 * Gives a locked Pod a public port for each of `ports`, and none that other programs use (`foreign`); null if
 * too few are free on its machine.
 */
export function* takePorts(
  pod: Pod,
  ports: readonly number[],
  range: PortRange,
  foreign: ReadonlySet<number> = new Set(),
): Tx<PublicPorts | null> {
  const { machine } = pod.placement;
  const granted = yield* portsOn(machine);
  const own = new Set(granted.flatMap(({ port, podId }) => (podId === pod.id ? [port] : [])));
  const others = new Set(granted.flatMap(({ port, podId }) => (podId === pod.id ? [] : [port])));
  const usable = Object.entries(pod.observed.portMappings).filter(([, port]) => !foreign.has(port));
  const taken = others.union(foreign);
  const draw = { taken, range, seed: drawSeed(pod) };
  const drawn = drawPorts(ports, Object.fromEntries(usable), draw);
  if (drawn === null) return null;
  const publicPorts = new Set(Object.values(drawn));
  if (publicPorts.symmetricDifference(own).size === 0) return drawn;
  yield* replacePorts(pod.id, machine, publicPorts);
  yield* changePod(pod.id, { observed: { portMappings: drawn } });
  return drawn;
}

/** Releases the ports; the next container gets others. */
export function* dropPorts(podId: string): Tx<void> {
  yield* removePorts(podId);
  yield* changePod(podId, { observed: { portMappings: {} } });
}
