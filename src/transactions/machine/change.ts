// A change of a machine's upkeep, GPUs or host key, or of a cluster, by an operator.

import { Fault } from "../../domain/fault.ts";
import type { GpuCordons } from "../../domain/gpu/gpu-health.ts";
import type { MigLayouts } from "../../domain/gpu/mig/mig-layout.ts";
import { type RemoteMachine, remoteAddressOf } from "../../domain/machine/remote.ts";
import type { Upkeep } from "../../domain/machine/upkeep.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  changeRemote,
  findRemote,
  forgetHostKey,
  lockRemote,
} from "../../store/remote-machine/remote-machine.ts";
import { readInventory, recordedInventory } from "../../store/replica/inventory.ts";
import { lockUpkeep, setUpkeep } from "../../store/replica/upkeep.ts";
import { requireOperator } from "../account/require-operator.ts";
import { addPartTypes } from "./gpus/add-slice-types.ts";
import { cancelGpuRequests, refuseCancellation } from "./gpus/cancel-requests.ts";
import { forgetLinks } from "./gpus/forget-links.ts";
import { refuseMigLayouts, requestMigChanges } from "./gpus/mig/mig-layouts.ts";
import { forgetMigLayouts } from "./gpus/mig/restore-layouts.ts";
import { returnGpus } from "./gpus/quarantine.ts";
import { lockShareTypes, type ShareChanges, shareGpus } from "./gpus/share-gpus.ts";
import { refuseGpuTests, requestGpuTests } from "./gpus/test-gpus.ts";

/** `cordons` are added to those that there are; null ends one. */
export type UpkeepChanges = Partial<Omit<Upkeep, "gpuCordons" | "sharedGpus">> & {
  cordons?: Readonly<Record<string, string | null>>;
  /** How GPUs are shared; those that are not named do not change. */
  shares?: ShareChanges;
  /** The GPUs that are to be tested once. */
  tests?: readonly string[];
  /** The MIG devices that GPUs are to be divided into; null ends MIG mode. */
  migLayouts?: MigLayouts;
  /** The GPUs whose test or change of the MIG layout is cancelled. */
  cancelledRequests?: readonly string[];
  /** True to forget the host key, so that the next connection saves a new one. */
  newHostKey?: boolean;
};

export function* saveMachineChanges(
  accountId: string,
  machine: string,
  {
    cordons = {},
    shares = {},
    tests = [],
    migLayouts = {},
    cancelledRequests = [],
    newHostKey = false,
    ...changes
  }: UpkeepChanges,
  now: number,
): Tx<Fault | null> {
  const refusal = yield* requireOperator(accountId);
  if (refusal) return refusal;
  const keyless = newHostKey ? yield* refuseHostKey(machine) : null;
  if (keyless) return keyless;
  const shareTypes = yield* lockShareTypes(machine, shares);
  if (newHostKey) yield* lockRemote(machine);
  const before = yield* lockUpkeep(machine);
  const cordoned = Object.entries(cordons);
  const requests = [...tests, ...cancelledRequests];
  const named = [
    ...cordoned,
    ...requests,
    ...Object.keys({ ...shares, ...migLayouts, ...changes }),
  ];
  if (newHostKey && !before && named.length === 0) {
    yield* forgetHostKey(machine);
    return null;
  }
  if (!before) return new Fault("machine_not_found", { id: machine });
  const after = { ...before, ...changes };
  const { maintenanceStart: start, maintenanceEnd: end } = after;
  if (end !== null && (start === null || end <= start)) {
    const detail = '"maintenanceEnd" must be later than "maintenanceStart" and requires it.';
    return new Fault("invalid_body", { detail });
  }
  const { gpuNumbers = {} } = (yield* recordedInventory(machine)) ?? {};
  const ever = { ...gpuNumbers, ...before.gpuCordons };
  const unknown = cordoned.find(([uuid]) => !Object.hasOwn(ever, uuid));
  if (unknown) {
    const detail = `"cordonedGpus" names the GPU ${unknown[0]}, which the machine never had.`;
    return new Fault("invalid_body", { detail });
  }
  const all = Object.entries({ ...before.gpuCordons, ...cordons });
  const gpuCordons = Object.fromEntries(all.filter((each) => each[1] !== null)) as GpuCordons;
  const sharedGpus = yield* shareGpus(machine, before.sharedGpus, shares);
  if (sharedGpus instanceof Fault) return sharedGpus;
  const untestable = yield* refuseGpuTests(machine, tests);
  if (untestable) return untestable;
  const indivisible = yield* refuseMigLayouts(machine, migLayouts, { sharedGpus, tests });
  if (indivisible) return indivisible;
  const running = yield* refuseCancellation(machine, cancelledRequests);
  if (running) return running;
  yield* addPartTypes(shareTypes);
  if (newHostKey) yield* forgetHostKey(machine);
  yield* setUpkeep(machine, { ...after, gpuCordons, sharedGpus });
  const ended = cordoned.filter(([, reason]) => reason === null).map(([uuid]) => uuid);
  yield* returnGpus(machine, ended, now);
  yield* forgetLinks(machine, ended);
  yield* cancelGpuRequests(machine, cancelledRequests, now);
  yield* forgetMigLayouts(
    machine,
    Object.keys(shares).filter((uuid) => shares[uuid]),
  );
  yield* requestGpuTests(machine, tests, now);
  yield* requestMigChanges(machine, migLayouts, now);
  return null;
}

/** Only a machine that is reached over SSH has a host key. */
function* refuseHostKey(machine: string): Tx<Fault | null> {
  const remote = yield* findRemote(machine);
  if (remote && remoteAddressOf(remote.address)?.by === "ssh") return null;
  if (!remote && !(yield* readInventory(machine)))
    return new Fault("machine_not_found", { id: machine });
  const detail = '"hostKey" is of a machine that is reached over SSH, and this one is not.';
  return new Fault("invalid_body", { detail });
}

/** `before` are the sealed secrets that the change was made from. */
export function* saveCluster(
  accountId: string,
  before: string,
  changed: Pick<RemoteMachine, "id" | "name" | "secrets" | "offer">,
): Tx<Fault | null> {
  const refusal = yield* requireOperator(accountId);
  if (refusal) return refusal;
  const remote = yield* lockRemote(changed.id);
  if (!remote) return new Fault("machine_not_found", { id: changed.id });
  if (remote.secrets !== before) {
    const detail = "Another change of this cluster was saved meanwhile. Try again.";
    return new Fault("cluster_refused", { detail });
  }
  yield* changeRemote(changed);
  return null;
}
