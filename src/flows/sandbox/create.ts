// Creates a sandbox: one commit takes the place of its Pod and stores both.

import type { Creator } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { defaultTerms } from "../../domain/pod/pod-request.ts";
import { limitsOf, type Sandbox } from "../../domain/sandbox/sandbox.ts";
import { type RequestedSize, sandboxSize } from "../../domain/sandbox/spec.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { recordSandbox } from "../../transactions/pod/record-sandbox.ts";
import { createPodAs, type NewPod, type PodDeps } from "../pod/create.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { SandboxView } from "./read.ts";

export interface NewSandbox extends Creator {
  name: string;
  /** Its Pod, but for the hardware. */
  request: NewPod["request"];
  size: RequestedSize;
  idleTimeoutSeconds: number | undefined;
  maxLifetimeSeconds: number | undefined;
  labels: Record<string, string>;
  once: IdempotencyKey | null;
}

export async function createSandbox(deps: PodDeps, newSandbox: NewSandbox): Promise<SandboxView> {
  const size = sandboxSize(deps.catalog, newSandbox.size);
  if (typeof size === "string") throw new Fault("invalid_body", { detail: size });
  const { accountId, keyId, owner, name, labels } = newSandbox;
  const pod: NewPod = {
    ...defaultTerms,
    accountId,
    keyId,
    owner,
    name,
    labels,
    once: null,
    request: { ...newSandbox.request, ...size, computeType: "CPU", sandbox: true },
  };
  const id = deps.ids.short(14);
  return throwRefusal(
    deps.store.write(createSandboxOnce, deps, newSandbox, { ...pod, id }, deps.clock.now()),
  );
}

function* createSandboxOnce(
  deps: PodDeps,
  newSandbox: NewSandbox,
  { id, ...newPod }: NewPod & { id: string },
  now: number,
): Tx<SandboxView | Fault> {
  return yield* createOnce(newSandbox.once, now, function* (): Tx<SandboxView | Fault> {
    const pod = yield* createPodAs(deps, newPod, id, now);
    if (pod instanceof Fault) return pod;
    const sandbox = sandboxFor(pod, newSandbox);
    yield* recordSandbox(sandbox);
    return { ...sandbox, owner: newSandbox.owner, rate: pod.pricing.runningRate };
  });
}

function sandboxFor(
  { id, accountId, createdAt, desired: { spec }, placement }: Pod,
  { name, idleTimeoutSeconds, maxLifetimeSeconds, labels }: NewSandbox,
): Sandbox {
  return {
    id,
    accountId,
    name,
    templateId: spec.templateId,
    imageName: spec.imageName,
    cpuFlavorId: placement.cpuFlavorId,
    vcpus: placement.vcpus,
    memoryMb: placement.memoryMb,
    containerDiskInGb: spec.containerDiskInGb,
    labels,
    state: "CREATING",
    createdAt,
    updatedAt: createdAt,
    startedAt: null,
    activeAt: createdAt,
    commandsUntil: [],
    end: null,
    ...limitsOf(idleTimeoutSeconds, maxLifetimeSeconds),
  };
}
