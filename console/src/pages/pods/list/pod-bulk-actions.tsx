// Stops or terminates the selected Pods, one after another.

import { useState } from "react";
import type { Schema } from "../../../api/client.ts";
import { useWrite } from "../../../api/use-write.ts";
import { Button } from "../../../components/control/button.tsx";
import { SelectionBar } from "../../../components/feedback/selection-bar.tsx";
import { ConfirmDialog } from "../../../components/form/confirm-dialog.tsx";
import { formatQuantity } from "../../../components/format/units.ts";
import { showToast } from "../../../toast.tsx";

type Pod = Schema["Pod"];

interface Props {
  pods: Pod[];
  onDone: () => void;
}

export function PodBulkActions({ pods, onDone }: Props) {
  const [openDialog, setOpenDialog] = useState<"stop" | "terminate" | null>(null);
  const close = () => setOpenDialog(null);
  const stoppable = pods.filter(
    ({ desiredStatus, locked }) => desiredStatus === "RUNNING" && !locked,
  );
  if (pods.length === 0) return null;
  return (
    <SelectionBar text={`${formatQuantity(pods.length, "Pod")} selected`} onDone={onDone}>
      <Button small disabled={stoppable.length === 0} onClick={() => setOpenDialog("stop")}>
        Stop {stoppable.length || ""}
      </Button>
      <Button small variant="danger" onClick={() => setOpenDialog("terminate")}>
        Terminate {pods.length}
      </Button>
      {openDialog === "stop" && <StopPods pods={stoppable} onDone={onDone} onClose={close} />}
      {openDialog === "terminate" && <TerminatePods pods={pods} onDone={onDone} onClose={close} />}
    </SelectionBar>
  );
}

interface DialogProps extends Props {
  onClose: () => void;
}

/** Pods leave the selection while they stop, and the question stays what it was. */
const useInitialText = (pods: Pod[]) => useState(() => formatQuantity(pods.length, "Pod"))[0];

function StopPods({ pods, onDone, onClose }: DialogProps) {
  const write = useWrite("post", "/v1/pods/{podId}/stop");
  const text = useInitialText(pods);
  const stop = async () => {
    for (const { id } of pods) await write.run({ params: { path: { podId: id } } });
    showToast(pods.length === 1 ? "1 Pod is stopping" : `${text} are stopping`);
    onDone();
  };
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Stop ${text}?`}
      action={`Stop ${text}`}
      onConfirm={stop}
    >
      <p>
        Stopping releases GPUs, CPUs and memory and wipes the container disks. Volumes are kept.
      </p>
      <PodNames pods={pods} />
    </ConfirmDialog>
  );
}

function TerminatePods({ pods, onDone, onClose }: DialogProps) {
  const write = useWrite("delete", "/v1/pods/{podId}");
  const text = useInitialText(pods);
  const withVolume = pods.filter(
    ({ volumeInGb, networkVolumeId }) => volumeInGb > 0 && !networkVolumeId,
  );
  const terminate = async () => {
    for (const { id } of pods) await write.run({ params: { path: { podId: id } } });
    showToast(`${text} terminated`);
    onDone();
  };
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Terminate ${text}?`}
      action={`Terminate ${text}`}
      onConfirm={terminate}
      {...(withVolume.length > 0 && { confirmText: text })}
    >
      <p>
        Terminating deletes the Pods and their container disks. Network volumes are kept.
        {withVolume.length > 0 &&
          ` It also deletes the volumes of ${formatQuantity(withVolume.length, "Pod")} with all data.`}
      </p>
      <PodNames pods={pods} />
      <p className="text-muted">This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function PodNames({ pods }: { pods: Pod[] }) {
  return (
    <ul className="max-h-40 overflow-y-auto text-sm text-muted">
      {pods.map(({ id, name }) => (
        <li key={id} className="truncate">
          {name} <code>{id}</code>
        </li>
      ))}
    </ul>
  );
}
