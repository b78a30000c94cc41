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

type Action = "stop" | "terminate";

interface Props {
  pods: Pod[];
  onDone: () => void;
}

export function PodBulkActions({ pods, onDone }: Props) {
  const [action, setAction] = useState<Action | null>(null);
  const stoppable = pods.filter(
    ({ desiredStatus, locked, queued }) => desiredStatus === "RUNNING" && !locked && !queued,
  );
  if (pods.length === 0) return null;
  return (
    <SelectionBar text={`${formatQuantity(pods.length, "Pod")} selected`} onDone={onDone}>
      <Button small disabled={stoppable.length === 0} onClick={() => setAction("stop")}>
        Stop {stoppable.length || ""}
      </Button>
      <Button small variant="danger" onClick={() => setAction("terminate")}>
        Terminate {pods.length}
      </Button>
      {action && (
        <ConfirmAction
          action={action}
          pods={action === "stop" ? stoppable : pods}
          onDone={onDone}
          onClose={() => setAction(null)}
        />
      )}
    </SelectionBar>
  );
}

interface ActionTexts {
  name: string;
  /** The toast when it is done. */
  success: (count: string, isOne: boolean) => string;
  effect: string;
  /** Whether it deletes Pods with their volumes, which must be typed. */
  isFinal: boolean;
}

const texts: Record<Action, ActionTexts> = {
  stop: {
    name: "Stop",
    success: (count, isOne) => `${count} ${isOne ? "is" : "are"} stopping`,
    effect:
      "Stopping releases GPUs, CPUs and memory and wipes the container disks. Volumes are kept.",
    isFinal: false,
  },
  terminate: {
    name: "Terminate",
    success: (count) => `${count} terminated`,
    effect: "Terminating deletes the Pods and their container disks. Network volumes are kept.",
    isFinal: true,
  },
};

function useAction(action: Action) {
  const stop = useWrite("post", "/v1/pods/{podId}/stop");
  const terminate = useWrite("delete", "/v1/pods/{podId}");
  return { stop, terminate }[action];
}

function ConfirmAction({
  action,
  pods,
  onDone,
  onClose,
}: Props & { action: Action; onClose: () => void }) {
  const write = useAction(action);
  // Pods leave the selection while they stop, and the question stays what it was.
  const [count] = useState(() => formatQuantity(pods.length, "Pod"));
  const { name, success, effect, isFinal } = texts[action];
  const withVolume = pods.filter(
    ({ volumeInGb, networkVolumeId }) => isFinal && volumeInGb > 0 && !networkVolumeId,
  );
  const run = async () => {
    const isOne = pods.length === 1;
    for (const { id } of pods) await write.run({ params: { path: { podId: id } } });
    showToast(success(count, isOne));
    onDone();
  };
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`${name} ${count}?`}
      action={`${name} ${count}`}
      onConfirm={run}
      {...(withVolume.length > 0 && { confirmText: count })}
    >
      <p>
        {effect}
        {withVolume.length > 0 &&
          ` It also deletes the volumes of ${formatQuantity(withVolume.length, "Pod")} with all data.`}
      </p>
      <PodNames pods={pods} />
      {isFinal && <p className="text-muted">This cannot be undone.</p>}
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
