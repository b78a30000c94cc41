// The body of a new or changed Pod as a request to the flows.

import type { OwnIdleRuleInput } from "../../../contract/idle-rule.ts";
import type { PodCreate, PodUpdate } from "../../../contract/rest-v1/pod/pod-write.ts";
import type { Creator } from "../../../domain/account.ts";
import { readDockerArgs } from "../../../domain/container/docker-args.ts";
import { Fault } from "../../../domain/fault.ts";
import type { PodRequest } from "../../../domain/pod/pod-request.ts";
import type { OwnIdleRule } from "../../../domain/usage/idle-policy.ts";
import type { NewPod } from "../../../flows/pod/create.ts";
import type { PodChanges } from "../../../flows/pod/update.ts";
import { maxLifetimeOf } from "../template/max-lifetime.ts";
import { idleRuleOf } from "../template/pod-rules.ts";

const DEFAULT_NAME = "my pod";

export function newPodRequest(body: PodCreate): Omit<NewPod, keyof Creator | "once"> {
  const { name, labels, locked, ...others } = body;
  const { stopAfter, terminateAfter, stopWhenIdle, maxLifetime = null, ...settings } = others;
  return {
    name: name ?? DEFAULT_NAME,
    ...(labels && { labels }),
    locked: locked ?? false,
    request: settingsOf(settings),
    stopAfter: parseInstant(stopAfter),
    terminateAfter: parseInstant(terminateAfter),
    stopWhenIdle: ownIdleRuleOf(stopWhenIdle),
    maxLifetime: maxLifetimeOf(maxLifetime),
  };
}

export function podChanges(body: PodUpdate): PodChanges {
  const { name, labels, locked, ...others } = body;
  const { stopAfter, terminateAfter, stopWhenIdle, maxLifetime, ...settings } = others;
  const request = settingsOf(settings);
  return {
    ...(name !== undefined && { name }),
    ...(labels && { labels }),
    ...(locked !== undefined && { locked }),
    ...(stopAfter !== undefined && { stopAfter: parseInstant(stopAfter) }),
    ...(terminateAfter !== undefined && { terminateAfter: parseInstant(terminateAfter) }),
    ...(maxLifetime !== undefined && { maxLifetime: maxLifetimeOf(maxLifetime) }),
    ...(stopWhenIdle !== undefined && { stopWhenIdle: ownIdleRuleOf(stopWhenIdle) }),
    ...(Object.keys(request).length > 0 && { request }),
  };
}

type Settings = Omit<
  PodCreate,
  "name" | "labels" | "locked" | "stopAfter" | "terminateAfter" | "stopWhenIdle" | "maxLifetime"
>;

/** The settings of a body by the names of the spec. Some clients send an empty text for no id. */
function settingsOf(body: Settings): PodRequest {
  refuseUnsupported(body);
  const { dockerArgs, minRamPerGpu, minVcpuPerGpu, volumeEncrypted, ...more } = body;
  const { bidPerGpu, globalNetworking, ...settings } = more;
  const request = {
    ...(dockerArgs && readDockerArgs(dockerArgs)),
    ...(minRamPerGpu !== undefined && { minRAMPerGPU: minRamPerGpu }),
    ...(minVcpuPerGpu !== undefined && { minVCPUPerGPU: minVcpuPerGpu }),
    ...(bidPerGpu !== undefined && { bidPerGpu: Math.round(bidPerGpu * 1e6) }),
    ...settings,
  } as PodRequest;
  for (const id of ["templateId", "networkVolumeId", "containerRegistryAuthId"] as const) {
    if (request[id] === "") request[id] = null;
  }
  return request;
}

function ownIdleRuleOf(input: OwnIdleRuleInput | null | undefined): OwnIdleRule | null {
  if (!input) return null;
  return "never" in input ? "never" : idleRuleOf(input);
}

const parseInstant = (text: string | null | undefined) => (text ? Date.parse(text) : null);

function refuseUnsupported(body: Pick<PodCreate, "volumeEncrypted" | "globalNetworking">): void {
  const checks: [requested: boolean, sentence: string][] = [
    [body.volumeEncrypted === true, 'Volumes are not encrypted here; leave "volumeEncrypted" out.'],
    [
      body.globalNetworking === true,
      'Global networking is not offered; leave "globalNetworking" out.',
    ],
  ];
  const sentences = checks.filter(([requested]) => requested).map(([, sentence]) => sentence);
  if (sentences.length > 0) throw new Fault("not_offered", { detail: sentences.join(" ") });
}
