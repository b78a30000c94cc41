// The body of a new or changed Pod as a request to the flows.

import type { OwnIdleRuleInput } from "../../../contract/idle-rule.ts";
import type { PodCreate, PodUpdate } from "../../../contract/rest-v1/pod/pod-write.ts";
import type { Creator } from "../../../domain/account.ts";
import { readDockerArgs } from "../../../domain/container/docker-args.ts";
import { Fault } from "../../../domain/fault.ts";
import { defaultTerms, type PodRequest, type PodTerms } from "../../../domain/pod/pod-request.ts";
import { defaultSpec } from "../../../domain/pod/spec.ts";
import type { OwnIdleRule } from "../../../domain/usage/idle-policy.ts";
import type { NewPod } from "../../../flows/pod/create.ts";
import type { PodChanges } from "../../../flows/pod/update.ts";
import { takeFields } from "../serve/take-fields.ts";
import { maxLifetimeOf } from "../template/max-lifetime.ts";
import { idleRuleOf } from "../template/pod-rules.ts";

export function newPodRequest(body: PodCreate): Omit<NewPod, keyof Creator | "once"> {
  const { terms, request } = readBody(body);
  return { ...defaultTerms, ...terms, request };
}

export function podChanges(body: PodUpdate): PodChanges {
  const { terms, request } = readBody(body);
  return { ...terms, ...(Object.keys(request).length > 0 && { request }) };
}

type Body = PodUpdate & Omit<PodCreate, keyof PodUpdate>;

/** Terms and settings have the names of the domain, and all but these its form. */
function readBody(body: Body): { terms: Partial<PodTerms>; request: PodRequest } {
  const { stopAfter, terminateAfter, stopWhenIdle, maxLifetime, ...others } = body;
  const [terms, settings] = takeFields(others, defaultTerms);
  const ownForm = {
    ...(stopAfter !== undefined && { stopAfter: parseInstant(stopAfter) }),
    ...(terminateAfter !== undefined && { terminateAfter: parseInstant(terminateAfter) }),
    ...(maxLifetime !== undefined && { maxLifetime: maxLifetimeOf(maxLifetime) }),
    ...(stopWhenIdle !== undefined && { stopWhenIdle: ownIdleRuleOf(stopWhenIdle) }),
  };
  return { terms: { ...terms, ...ownForm }, request: settingsOf(settings) };
}

/** Some clients send an empty text for no id. */
function settingsOf(body: Omit<Body, keyof PodTerms>): PodRequest {
  const { volumeEncrypted, globalNetworking, ...offered } = body;
  refuseUnsupported({ volumeEncrypted, globalNetworking });
  const { dockerArgs, minRamPerGpu, minVcpuPerGpu, bidPerGpu, ...others } = offered;
  const [settings, rest] = takeFields(others, defaultSpec);
  rest satisfies Record<string, never>;
  const request: PodRequest = {
    ...(dockerArgs && readDockerArgs(dockerArgs)),
    ...(minRamPerGpu !== undefined && { minRAMPerGPU: minRamPerGpu }),
    ...(minVcpuPerGpu !== undefined && { minVCPUPerGPU: minVcpuPerGpu }),
    ...(bidPerGpu !== undefined && { bidPerGpu: Math.round(bidPerGpu * 1e6) }),
    ...settings,
  };
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
