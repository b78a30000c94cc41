// The public ports of a machine's Pods. The table has each once, so that none is ever two Pods'; a
// stopped Pod keeps its own.

import type { Pod } from "../../domain/pod/pod.ts";
import { drawPorts, drawSeed, type PortRange, type PublicPorts } from "../../domain/pod/ports.ts";
import { change, rows, type Verb } from "../statement.ts";

/** Gives a Pod, locked in this turn, its public ports; null where too few are free on its machine. */
export function* takePorts(
  pod: Pod,
  asked: readonly number[],
  range: PortRange,
): Verb<PublicPorts | null> {
  const given = yield* rows<{ port: number; pod_id: string }>(
    "select port, pod_id from pod_port where machine = ?",
    pod.machine,
  );
  const own = new Set(given.flatMap(({ port, pod_id }) => (pod_id === pod.id ? [port] : [])));
  const others = new Set(given.flatMap(({ port, pod_id }) => (pod_id === pod.id ? [] : [port])));
  const drawn = drawPorts(asked, pod.portMappings, others, range, drawSeed(pod));
  if (drawn === null) return null;
  const ports = new Set(Object.values(drawn));
  if (ports.symmetricDifference(own).size === 0) return drawn;
  yield* dropPorts(pod.id);
  for (const port of ports) {
    yield* change(
      "insert into pod_port (machine, port, pod_id) values (?, ?, ?)",
      pod.machine,
      port,
      pod.id,
    );
  }
  yield* change("update pod set port_mappings = ? where id = ?", JSON.stringify(drawn), pod.id);
  return drawn;
}

/** Lets go of them: the next container has others. */
export function* dropPorts(podId: string): Verb<void> {
  yield* change("delete from pod_port where pod_id = ?", podId);
  yield* change("update pod set port_mappings = '{}' where id = ?", podId);
}
