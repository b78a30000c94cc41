// The actions for a Pod, in the list and on its page.

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { StartPod } from "./start-pod.tsx";
import { useChangePodState } from "./use-change-pod-state.ts";

type Pod = Schema["Pod"];
type DialogKind = "start" | "stop" | "reset" | "terminate";

interface Props {
  pod: Pod;
  /** Shows the usual action as a button beside the menu. */
  showButton?: boolean;
}

export function PodActions(props: Props) {
  const mayWrite = useCanWrite();
  if (!mayWrite) return null;
  return props.pod.queued ? <QueuedPodActions {...props} /> : <CreatedPodActions {...props} />;
}

/** A Pod in line, or one that has left it, can only be removed. */
function QueuedPodActions({ pod, showButton }: Props) {
  const navigate = useNavigate();
  const write = useWrite("delete", "/v1/pods/{podId}", {
    success: `Pod ${pod.name} removed`,
    toastError: true,
  });
  const remove = async () => {
    await write.run({ params: { path: { podId: pod.id } } });
    await navigate({ to: "/pods" });
  };
  const label = pod.queued?.refused ? "Remove" : "Leave the line";
  const onSelect = () => void remove().catch(() => {}); // a toast says why
  if (showButton) return <Button onClick={onSelect}>{label}</Button>;
  return <Menu label={`Actions for ${pod.name}`} items={[{ label, danger: true, onSelect }]} />;
}

function CreatedPodActions({ pod, showButton }: Props) {
  const [openDialog, setOpenDialog] = useState<DialogKind | null>(null);
  const restart = useChangePodState(pod, "restart", true);
  const isRunning = pod.desiredStatus === "RUNNING";
  const close = () => setOpenDialog(null);
  return (
    <>
      {showButton &&
        (isRunning ? (
          <Button disabled={pod.locked} onClick={() => setOpenDialog("stop")}>
            Stop
          </Button>
        ) : (
          <Button variant="primary" onClick={() => setOpenDialog("start")}>
            Start
          </Button>
        ))}
      <Menu
        label={`Actions for ${pod.name}`}
        items={[
          !showButton && isRunning && { label: "Stop", onSelect: () => setOpenDialog("stop") },
          !showButton && !isRunning && { label: "Start", onSelect: () => setOpenDialog("start") },
          isRunning && {
            label: "Restart",
            onSelect: restart.start,
          },
          { label: "Reset", onSelect: () => setOpenDialog("reset") },
          { label: "Terminate", danger: true, onSelect: () => setOpenDialog("terminate") },
        ]}
      />
      {openDialog === "start" && <StartPod pod={pod} onClose={close} />}
      {openDialog === "stop" && <StopPod pod={pod} onClose={close} />}
      {openDialog === "reset" && <ResetPod pod={pod} onClose={close} />}
      {openDialog === "terminate" && <TerminatePod pod={pod} onClose={close} />}
    </>
  );
}

interface ConfirmProps {
  pod: Pod;
  onClose: () => void;
}

function StopPod({ pod, onClose }: ConfirmProps) {
  const write = useChangePodState(pod, "stop");
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Stop ${pod.name}?`}
      action="Stop Pod"
      onConfirm={write.run}
    >
      <p>
        Stopping releases its GPUs, CPUs and memory and wipes the container disk. You can start the
        Pod again on the same machine when enough capacity is available there.
      </p>
      <p className="text-muted">{describeVolume(pod)}</p>
    </ConfirmDialog>
  );
}

function ResetPod({ pod, onClose }: ConfirmProps) {
  const write = useChangePodState(pod, "reset");
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Reset ${pod.name}?`}
      action="Reset Pod"
      onConfirm={write.run}
    >
      <p>Resetting creates a new container and wipes the container disk.</p>
      <p className="text-muted">{describeVolume(pod)}</p>
    </ConfirmDialog>
  );
}

function TerminatePod({ pod, onClose }: ConfirmProps) {
  const navigate = useNavigate();
  const write = useWrite("delete", "/v1/pods/{podId}", { success: `Pod ${pod.name} terminated` });
  const terminate = async () => {
    await write.run({ params: { path: { podId: pod.id } } });
    await navigate({ to: "/pods" });
  };
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Terminate ${pod.name}?`}
      action="Terminate Pod"
      onConfirm={terminate}
      {...(pod.volumeInGb > 0 && !pod.networkVolumeId && { confirmText: pod.name })}
    >
      <p>
        Terminating deletes the Pod and its container disk.{" "}
        {pod.networkVolumeId
          ? "Its network volume is kept."
          : pod.volumeInGb > 0 &&
            `It also deletes the ${pod.volumeInGb} GB volume at ${pod.volumeMountPath} with all data.`}
      </p>
      <p className="text-muted">This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function describeVolume({ volumeInGb, volumeMountPath, networkVolumeId }: Pod): string {
  if (networkVolumeId) return `The network volume at ${volumeMountPath} is kept.`;
  if (volumeInGb === 0) return "This Pod has no volume: all its data is lost.";
  return `The ${volumeInGb} GB volume at ${volumeMountPath} is kept.`;
}
