// The public ports of Pods. The pod_port table has those of each machine. Its primary key makes a double grant impossible.

import { change, row, rows, type Tx } from "../engine/statement.ts";

export function* portsOn(machine: string): Tx<{ port: number; podId: string }[]> {
  return yield* rows<{ port: number; podId: string }>(
    `select port, pod_id as "podId" from pod_port where machine = ?`,
    machine,
  );
}

/** The public ports that an account's Pods request, without the Pod `except`. */
export function* publicPortsOf(accountId: string, except: string): Tx<number> {
  const found = yield* row<{ count: number | null }>(
    `select sum(tcp_ports) as count from pod
     where account_id = ? and state <> 'TERMINATED' and id <> ?`,
    accountId,
    except,
  );
  return Number(found?.count ?? 0);
}

/** Fails if another Pod has one of them. */
export function* replacePorts(podId: string, machine: string, ports: Iterable<number>): Tx<void> {
  yield* removePorts(podId);
  for (const port of ports) {
    yield* change(
      "insert into pod_port (machine, port, pod_id) values (?, ?, ?)",
      machine,
      port,
      podId,
    );
  }
}

export function* removePorts(podId: string): Tx<void> {
  yield* change("delete from pod_port where pod_id = ?", podId);
}
