// The GPUs of a machine one by one. The operator takes one out of placement and divides it here.

import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";
import { useCanManageMachines } from "./machine-actions.tsx";
import { ShareForm } from "./share-form.tsx";
import { useUpdateMachine } from "./use-update-machine.ts";

type Machine = Schema["Machine"];
type Device = NonNullable<Machine["gpuDevices"]>[number];

export function GpuDevices({ machine: { id, gpuDevices = [] } }: { machine: Machine }) {
  const [divided, setDivided] = useState<Device | null>(null);
  if (gpuDevices.length === 0) return null;
  /** The state alone does not say it: a cordon or a fault comes first in it. */
  const isInMigMode = ({ uuid, fault }: Device) =>
    fault?.code === "mig_mode" || gpuDevices.some(({ slice }) => slice?.gpuUuid === uuid);
  return (
    <>
      <ul className="mt-4 grid gap-2 text-sm" aria-label="GPUs">
        {gpuDevices.map((device) => (
          <GpuRow key={device.uuid} machineId={id} device={device} onDivide={setDivided} />
        ))}
      </ul>
      {divided && (
        <ShareForm
          machineId={id}
          device={divided}
          isInMigMode={isInMigMode(divided)}
          siblings={gpuDevices.filter(
            (each) =>
              each.uuid !== divided.uuid &&
              each.gpuTypeId === divided.gpuTypeId &&
              each.state === divided.state &&
              isInMigMode(each) === isInMigMode(divided) &&
              canBeDivided(each),
          )}
          onClose={() => setDivided(null)}
        />
      )}
    </>
  );
}

/** A MIG device cannot, nor a GPU that is lost or is being changed. */
const canBeDivided = ({ slice, state, gpuTypeId }: Device) =>
  !slice && state !== "changing" && gpuTypeId !== undefined;

/** How its last test and the last change of its MIG layout ended. */
const Outcomes = ({ device: { test, migChange } }: { device: Device }) => (
  <>
    {test && (
      <span className={test.outcome === "failed" ? "text-bad" : "text-muted"} title={test.text}>
        Test {test.outcome.replace("_", " ")}
      </span>
    )}
    {migChange && migChange.outcome !== "set" && (
      <span
        className={migChange.outcome === "refused" ? "text-bad" : "text-muted"}
        title={migChange.text}
      >
        MIG layout {migChange.outcome}
        {migChange.outcome === "pending" && `: ${migChange.text}`}
      </span>
    )}
  </>
);

/** For example "3 × xid_31 (a1b2)", with the Pod or worker that had the GPU. */
const errorText = ({ code, count, workload }: NonNullable<Device["errors"]>[number]) =>
  `${count} × ${code}${workload ? ` (${workload})` : ""}`;

const Errors = ({ device: { errors = [] } }: { device: Device }) =>
  errors.length > 0 && <span className="text-bad"> {errors.map(errorText).join(", ")}</span>;

/** Its title says what the test or the change waits for. */
function CancelButton({ machineId, device }: { machineId: string; device: Device }) {
  const { number, uuid, test, migChange } = device;
  const isTest = test?.canBeCancelled === true;
  const write = useUpdateMachine(machineId, {
    success: `The ${isTest ? "test" : "change of the MIG layout"} of GPU ${number} is cancelled`,
    toastError: true,
  });
  return (
    <Button
      small
      busy={write.isPending}
      title={isTest ? test.text : migChange?.text}
      aria-label={`Cancel ${isTest ? "test" : "MIG layout"} of GPU ${number}`}
      onClick={() => write.start({ cancelledGpuRequests: [uuid] })}
    >
      Cancel
    </Button>
  );
}

interface RowProps {
  machineId: string;
  device: Device;
  onDivide: (device: Device) => void;
}

function GpuRow({ machineId, device, onDivide }: RowProps) {
  const { number, uuid, cordonReason, quarantine, workloads, slice, shares } = device;
  const { test, migChange } = device;
  const isKeptOut = cordonReason !== undefined || quarantine !== undefined;
  const fault = quarantine ?? device.fault;
  const canBeTested = !slice && device.state !== "split";
  const canManage = useCanManageMachines();
  const write = useUpdateMachine(machineId, {
    success: isKeptOut ? `GPU ${number} gets new work again` : `GPU ${number} gets no new work`,
    toastError: true,
  });
  const testing = useUpdateMachine(machineId, {
    success: `GPU ${number} is being tested`,
    toastError: true,
  });
  const reason = fault ? `${fault.reason}; ${fault.recommendation}` : cordonReason;
  const state = device.state.replace("_", " ");
  return (
    <li className="flex min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-1 sm:flex-nowrap">
      <span className="min-w-0 grow basis-full sm:basis-0 sm:truncate" title={uuid}>
        {slice && <span className="text-muted">MIG {slice.profile} </span>}
        GPU {number}{" "}
        <span
          className={
            ["free", "in_use", "split", "shared"].includes(device.state) ? "text-muted" : "text-bad"
          }
        >
          {reason ? `${state}: ${reason}` : state}
        </span>{" "}
        {shares && (
          <span className="text-muted" title="A program can take more than its share.">
            {shares.count} × {shares.memoryInGb} GB, {shares.held} in use,{" "}
            {shares.mps ? "memory limited by MPS" : "memory not enforced"}{" "}
          </span>
        )}
        <span className="text-muted">{workloads.join(", ")}</span>
        <Errors device={device} />
      </span>
      <Outcomes device={device} />
      {canManage && (test?.canBeCancelled || migChange?.canBeCancelled) && (
        <CancelButton machineId={machineId} device={device} />
      )}
      {canManage && workloads.length === 0 && canBeTested && (
        <Button
          small
          busy={testing.isPending || test?.outcome === "pending"}
          aria-label={`Test GPU ${number}`}
          onClick={() => testing.start({ testGpus: [uuid] })}
        >
          Test
        </Button>
      )}
      {canManage && workloads.length === 0 && canBeDivided(device) && (
        <Button small aria-label={`Divide GPU ${number}`} onClick={() => onDivide(device)}>
          Divide
        </Button>
      )}
      {canManage && (
        <Button
          small
          busy={write.isPending}
          aria-label={`${isKeptOut ? "Uncordon" : "Cordon"} GPU ${number}`}
          onClick={() => write.start({ cordonedGpus: { [uuid]: isKeptOut ? null : "" } })}
        >
          {isKeptOut ? "Uncordon" : "Cordon"}
        </Button>
      )}
    </li>
  );
}
