// The body of a new or changed Pod, as the flows are asked.

import type { PodCreate, PodUpdate } from "../../contract/rest-v1/pod-write.ts";
import { Fault } from "../../domain/fault.ts";
import { commandOf } from "../../domain/pod/docker-args.ts";
import type { PodWishes } from "../../domain/pod/wishes.ts";
import type { NewPod } from "../../flows/pod/create.ts";
import type { PodChanges } from "../../flows/pod/update.ts";

const DEFAULT_NAME = "my pod";

export function newPodWishes(body: PodCreate): Omit<NewPod, "accountId" | "keyId" | "once"> {
  refuseWhatIsNotOffered(body);
  const { name, locked, stopAfter, terminateAfter, dockerArgs, ...rest } = body;
  const { minRamPerGpu, minVcpuPerGpu, volumeEncrypted, ...more } = rest;
  const { bidPerGpu, globalNetworking, ...settings } = more;
  const command = dockerArgs ? { dockerStartCmd: commandOf(dockerArgs) } : {};
  const perGpu = {
    ...(minRamPerGpu !== undefined && { minRAMPerGPU: minRamPerGpu }),
    ...(minVcpuPerGpu !== undefined && { minVCPUPerGPU: minVcpuPerGpu }),
  };
  const bid = bidPerGpu === undefined ? {} : { bidPerGpu: Math.round(bidPerGpu * 1e6) };
  const wishes = { ...command, ...perGpu, ...bid, ...settings } as PodWishes;
  // Clients that want none send an empty text.
  if (wishes.templateId === "") wishes.templateId = null;
  if (wishes.networkVolumeId === "") wishes.networkVolumeId = null;
  if (wishes.containerRegistryAuthId === "") wishes.containerRegistryAuthId = null;
  return {
    name: name ?? DEFAULT_NAME,
    locked: locked ?? false,
    wishes,
    stopAfter: at(stopAfter),
    terminateAfter: at(terminateAfter),
  };
}

export function podChanges(body: PodUpdate): PodChanges {
  refuseWhatIsNotOffered(body);
  const { globalNetworking, stopAfter, terminateAfter, ...changes } = body;
  const kept = Object.entries(changes).filter(([, value]) => value !== null);
  const wanted = Object.fromEntries(kept) as PodChanges;
  if (wanted.containerRegistryAuthId === "") wanted.containerRegistryAuthId = null;
  return {
    ...wanted,
    ...(stopAfter !== undefined && { stopAfter: at(stopAfter) }),
    ...(terminateAfter !== undefined && { terminateAfter: at(terminateAfter) }),
  };
}

const at = (text: string | null | undefined) => (text ? Date.parse(text) : null);

/** Each with what is wrong where it is asked for. */
function refuseWhatIsNotOffered(
  body: Pick<PodCreate, "volumeEncrypted" | "globalNetworking">,
): void {
  const asked: [boolean, string][] = [
    [body.volumeEncrypted === true, 'Volumes are not encrypted here; leave "volumeEncrypted" out.'],
    [
      body.globalNetworking === true,
      'Global networking is not offered; leave "globalNetworking" out.',
    ],
  ];
  const refused = asked.filter(([wanted]) => wanted).map(([, sentence]) => sentence);
  if (refused.length > 0) throw new Fault("not_offered", { detail: refused.join(" ") });
}
