// What can be done with a Pod, from the list and from its page.

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Schema, service } from "../../api/client.ts";
import { refusedBy } from "../../api/fault.ts";
import { useMayWrite } from "../../api/self.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Menu } from "../../parts/menu.tsx";
import { say } from "../../parts/toast.tsx";
import { StartPod } from "./start-pod.tsx";

type Pod = Schema["Pod"];
type Move = "start" | "stop" | "restart" | "reset";

const said: Record<Move, string> = {
  start: "is being started",
  stop: "is being stopped",
  restart: "gets a new container",
  reset: "gets a new container",
};

async function move(pod: Pod, how: Move): Promise<void> {
  const params = { path: { podId: pod.id } };
  const { error } = await service.POST(`/v1/pods/{podId}/${how}`, { params });
  if (error) throw error;
  say(`${pod.name} ${said[how]}`);
}

const moveOrSay = (pod: Pod, how: Move) =>
  move(pod, how).catch((error) => say(refusedBy(error).sentence));

type Asked = "start" | "stop" | "reset" | "terminate";

/** `prominent` shows the usual move as a button of its own. */
export function PodActions({ pod, prominent }: { pod: Pod; prominent?: boolean }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const mayWrite = useMayWrite();
  if (!mayWrite) return null;
  const runs = pod.desiredStatus === "RUNNING";
  const open = (which: Asked) => (now: boolean) => setAsked(now ? which : null);
  return (
    <>
      {prominent &&
        (runs ? (
          <Button disabled={pod.locked} onClick={() => setAsked("stop")}>
            Stop
          </Button>
        ) : (
          <Button look="primary" onClick={() => setAsked("start")}>
            Start
          </Button>
        ))}
      <Menu
        label={`Actions for ${pod.name}`}
        items={[
          !prominent && runs && { label: "Stop", onSelect: () => setAsked("stop") },
          !prominent && !runs && { label: "Start", onSelect: () => setAsked("start") },
          runs && { label: "Restart", onSelect: () => void moveOrSay(pod, "restart") },
          { label: "Reset", onSelect: () => setAsked("reset") },
          { label: "Terminate", danger: true, onSelect: () => setAsked("terminate") },
        ]}
      />
      {asked === "start" && (
        <StartPod pod={pod} onClose={() => setAsked(null)} onStart={() => move(pod, "start")} />
      )}
      <StopPod pod={pod} open={asked === "stop"} onOpenChange={open("stop")} />
      <ResetPod pod={pod} open={asked === "reset"} onOpenChange={open("reset")} />
      <TerminatePod pod={pod} open={asked === "terminate"} onOpenChange={open("terminate")} />
    </>
  );
}

interface AskProps {
  pod: Pod;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function StopPod({ pod, ...dialog }: AskProps) {
  return (
    <Confirm
      {...dialog}
      title={`Stop ${pod.name}?`}
      action="Stop it"
      onConfirm={() => move(pod, "stop")}
    >
      <p>
        Its GPUs are free for others at once, and what is on its container disk is lost. It can be
        started again on the same machine, if what it needs is free there then.
      </p>
      <p className="text-muted">{kept(pod)}</p>
    </Confirm>
  );
}

function ResetPod({ pod, ...dialog }: AskProps) {
  return (
    <Confirm
      {...dialog}
      title={`Reset ${pod.name}?`}
      action="Reset it"
      onConfirm={() => move(pod, "reset")}
    >
      <p>It gets a new container, and what is on its container disk is lost.</p>
      <p className="text-muted">{kept(pod)}</p>
    </Confirm>
  );
}

function TerminatePod({ pod, ...dialog }: AskProps) {
  const navigate = useNavigate();
  const terminate = async () => {
    const { error } = await service.DELETE("/v1/pods/{podId}", {
      params: { path: { podId: pod.id } },
    });
    if (error) throw error;
    say(`${pod.name} is terminated`);
    await navigate({ to: "/pods" });
  };
  return (
    <Confirm
      {...dialog}
      title={`Terminate ${pod.name}?`}
      action="Terminate it"
      onConfirm={terminate}
      {...(pod.volumeInGb > 0 && !pod.networkVolumeId && { typed: pod.name })}
    >
      <p>
        The Pod and its container disk are gone for good.{" "}
        {pod.networkVolumeId
          ? "Its network volume is kept."
          : pod.volumeInGb > 0 &&
            `So is its volume of ${pod.volumeInGb} GB at ${pod.volumeMountPath}, with everything in it.`}
      </p>
      <p className="text-muted">This cannot be undone.</p>
    </Confirm>
  );
}

function kept({ volumeInGb, volumeMountPath, networkVolumeId }: Pod): string {
  if (networkVolumeId) return `Its network volume at ${volumeMountPath} is kept.`;
  if (volumeInGb === 0) return "It has no volume: nothing that it wrote is kept.";
  return `Its volume of ${volumeInGb} GB at ${volumeMountPath} is kept.`;
}
