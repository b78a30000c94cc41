// The table `unknown_installation`: what other installations have on a machine's engine. The machine's
// loop writes what it observes; an operator may request the removal.

import { ALL_ACCOUNTS, topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, notify, rows, type Tx } from "../engine/statement.ts";

export interface UnknownInstallation {
  machine: string;
  installation: string;
  /** All its containers there, and those of them that run. */
  containers: number;
  running: number;
  networks: number;
  volumes: number;
  /** What the operator wants removed: without its volumes, with them, or nothing. */
  removal: Removal | null;
}

export type Removal = "workloads" | "all";

export type ObservedInstallation = Omit<UnknownInstallation, "machine" | "removal">;

export function* unknownInstallations(): Tx<UnknownInstallation[]> {
  return fromRows(
    yield* rows<Row>(`select ${COLUMNS} from unknown_installation order by machine, installation`),
  );
}

export function* unknownInstallationsOn(machine: string): Tx<UnknownInstallation[]> {
  return fromRows(
    yield* rows<Row>(
      `select ${COLUMNS} from unknown_installation where machine = ? order by installation`,
      machine,
    ),
  );
}

/** Replaces what was observed on the machine. A requested removal stays until nothing is left. */
export function* recordUnknownInstallations(
  machine: string,
  observed: readonly ObservedInstallation[],
): Tx<void> {
  const present = new Set(observed.map(({ installation }) => installation));
  for (const { installation } of yield* unknownInstallationsOn(machine)) {
    if (!present.has(installation)) yield* forget(machine, installation);
  }
  for (const each of observed) {
    yield* change(
      `insert into unknown_installation
         (machine, installation, containers, running, networks, volumes)
       values (?, ?, ?, ?, ?, ?)
       on conflict (machine, installation) do update set containers = excluded.containers,
         running = excluded.running, networks = excluded.networks, volumes = excluded.volumes`,
      machine,
      each.installation,
      each.containers,
      each.running,
      each.networks,
      each.volumes,
    );
  }
  yield* notify(topic.changed(ALL_ACCOUNTS, "machine", machine));
}

/** Requests a removal, or withdraws it; false if no such installation was observed there. */
export function* setRemoval(
  machine: string,
  installation: string,
  removal: Removal | null,
): Tx<boolean> {
  const changes = yield* change(
    "update unknown_installation set removal = ? where machine = ? and installation = ?",
    removal,
    machine,
    installation,
  );
  yield* notify(topic.removals);
  yield* notify(topic.changed(ALL_ACCOUNTS, "machine", machine));
  return changes > 0;
}

/** The machine was removed. */
export function* forgetUnknownInstallationsOn(machine: string): Tx<void> {
  yield* change("delete from unknown_installation where machine = ?", machine);
}

function* forget(machine: string, installation: string): Tx<void> {
  yield* change(
    "delete from unknown_installation where machine = ? and installation = ?",
    machine,
    installation,
  );
}

type Row = Record<"machine" | "installation", string> &
  Record<"containers" | "running" | "networks" | "volumes", number> & { removal: Removal | null };

const COLUMNS = columnList<Row>()(
  "machine",
  "installation",
  "containers",
  "running",
  "networks",
  "volumes",
  "removal",
);

function fromRows(found: Row[]): UnknownInstallation[] {
  return found.map(({ containers, running, networks, volumes, ...row }) => ({
    ...row,
    containers: Number(containers),
    running: Number(running),
    networks: Number(networks),
    volumes: Number(volumes),
  }));
}
