// Routes of /v2/sandboxes.

import type { FastifyInstance } from "fastify";
import type { Sandbox, SandboxCreate } from "../../../contract/rest-v2/sandbox/sandbox.ts";
import { sandboxOperations } from "../../../contract/rest-v2/sandbox/sandbox-operations.ts";
import { creatorOf } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import type { PodRequest } from "../../../domain/pod/pod-request.ts";
import { expiresAt, idleExpiresAt } from "../../../domain/sandbox/sandbox.ts";
import { memoryGb } from "../../../domain/sandbox/spec.ts";
import { ACCESS_REVOKED } from "../../../flows/access-watch.ts";
import { ownerNamed } from "../../../flows/member/owner.ts";
import type { PodDeps } from "../../../flows/pod/create.ts";
import { changeSandboxOf, deleteSandboxOf } from "../../../flows/sandbox/change.ts";
import { createSandbox } from "../../../flows/sandbox/create.ts";
import { DEFAULT_EXEC_SECONDS, execInSandbox } from "../../../flows/sandbox/exec.ts";
import {
  ownSandboxSubject,
  readSandbox,
  readSandboxes,
  type SandboxView,
} from "../../../flows/sandbox/read.ts";
import type { LogStreamDeps } from "../../management/observe/log.ts";
import { streamSignal } from "../../management/observe/stream.ts";
import { instant } from "../../management/serve/instant.ts";
import { labelFilterOf } from "../../management/serve/labels.ts";
import { takeFields } from "../../management/serve/take-fields.ts";
import { sendLogStream } from "../log-stream.ts";
import { serveRestV2 } from "../serve/serve.ts";
import { templateNamed } from "../template/template-merge.ts";

const DEFAULT_DISK_GB = 10;

export function sandboxRoutes(app: FastifyInstance, deps: PodDeps & LogStreamDeps): void {
  serveRestV2(app, sandboxOperations, {
    async createSandbox({ accountId, key, body, once }) {
      requireOffered(body);
      await templateNamed(deps, accountId, body.templateId, { serverless: false });
      const { name = "sandbox", labels = {}, cpuFlavorId, vcpuCount, memoryInGb } = body;
      const { idleTimeoutSeconds, maxLifetimeSeconds } = body;
      const size = { cpuFlavorId, vcpuCount, memoryInGb };
      const limits = { idleTimeoutSeconds, maxLifetimeSeconds };
      const request = requestFrom(body);
      const caller = { ...creatorOf(key), once };
      const sandbox = await createSandbox(deps, {
        ...caller,
        name,
        labels,
        size,
        request,
        ...limits,
      });
      return sandboxRead(sandbox);
    },
    async listSandboxes({ accountId, key, query: { state = null, createdBy, ...query } }) {
      const ownerId = ownerNamed(createdBy, key);
      const filter = { state, ownerId, labels: labelFilterOf(query) };
      const found = await readSandboxes(deps, accountId, filter);
      return { sandboxes: found.map(sandboxRead) };
    },
    getSandbox: async ({ accountId, params }) =>
      sandboxRead(await readSandbox(deps, accountId, params.sandboxId)),
    updateSandbox: async ({ accountId, params, body }) =>
      sandboxRead(await changeSandboxOf(deps, accountId, params.sandboxId, body)),
    async deleteSandbox({ accountId, params }) {
      await deleteSandboxOf(deps, accountId, params.sandboxId);
    },
    async execInSandbox({ accountId, params, body, reply }) {
      const { command, timeoutSeconds = DEFAULT_EXEC_SECONDS } = body;
      const ran = { accountId, id: params.sandboxId, command, timeoutSeconds };
      const signal = streamSignal(deps, reply);
      const result = await execInSandbox(deps, ran, signal);
      if (signal.reason === ACCESS_REVOKED) throw ACCESS_REVOKED;
      return result;
    },
    extendSandbox: async ({ accountId, params, body }) =>
      sandboxRead(
        await changeSandboxOf(deps, accountId, params.sandboxId, { ...body, isExtension: true }),
      ),
    streamSandboxLogs: async ({ accountId, params, query, reply }) =>
      sendLogStream(deps, await ownSandboxSubject(deps, accountId, params.sandboxId), query, reply),
  });
}

function requireOffered(body: SandboxCreate): void {
  const { imageName, templateId, dataCenterId, dataCenterIds, egressMode = "ALLOW_ALL" } = body;
  if ((imageName === undefined) === (templateId === undefined)) {
    throw new Fault("invalid_body", { detail: "Send exactly one of imageName and templateId." });
  }
  if (dataCenterId !== undefined && dataCenterIds !== undefined) {
    const detail = "Send only one of dataCenterId and dataCenterIds.";
    throw new Fault("invalid_body", { detail });
  }
  if (egressMode !== "ALLOW_ALL") {
    const detail = `The egressMode ${egressMode} is not offered; only ALLOW_ALL is.`;
    throw new Fault("not_offered", { detail });
  }
}

/** What the sandbox has itself; the other fields are its Pod's. */
const ownFields = {
  name: true,
  labels: true,
  cpuFlavorId: true,
  vcpuCount: true,
  memoryInGb: true,
  idleTimeoutSeconds: true,
  maxLifetimeSeconds: true,
  egressMode: true,
} satisfies Partial<Record<keyof SandboxCreate, true>>;

function requestFrom(body: SandboxCreate): PodRequest {
  const [, container] = takeFields(body, ownFields);
  const { imageName, templateId, dataCenterId, entrypoint, cmd, env, registry, ...others } =
    container;
  const { dataCenterIds = dataCenterId === undefined ? undefined : [dataCenterId], ...more } =
    others;
  const { disk = templateId === undefined ? DEFAULT_DISK_GB : undefined, ...rest } = more;
  rest satisfies Record<string, never>;
  return {
    ...(imageName !== undefined && { imageName }),
    ...(templateId !== undefined && { templateId }),
    ...(disk !== undefined && { containerDiskInGb: disk }),
    ...(dataCenterIds !== undefined && { dataCenterIds }),
    ...(entrypoint !== undefined && { dockerEntrypoint: entrypoint }),
    ...(cmd !== undefined && { dockerStartCmd: cmd }),
    ...(env !== undefined && { env }),
    ...(registry !== undefined && { containerRegistryAuthId: registry }),
  };
}

function sandboxRead(sandbox: SandboxView): Sandbox {
  const { id, name, state, templateId, imageName, cpuFlavorId, labels, end, startedAt } = sandbox;
  return {
    id,
    name,
    state,
    templateId,
    imageName,
    cpuFlavorId,
    labels,
    compute: computeOf(sandbox),
    idleTimeoutSeconds: sandbox.idleMs / 1_000,
    maxLifetimeSeconds: sandbox.lifeMs / 1_000,
    lastActivityAt: instant(sandbox.activeAt),
    idleExpiresAt: instant(idleExpiresAt(sandbox)),
    expiresAt: instant(expiresAt(sandbox)),
    terminationReason: end?.reason ?? null,
    terminationDetail: end?.detail ?? null,
    terminatedAt: end && instant(end.at),
    startedAt: startedAt === null ? null : instant(startedAt),
    createdAt: instant(sandbox.createdAt),
    ...(sandbox.owner && { createdBy: sandbox.owner }),
    updatedAt: instant(sandbox.updatedAt),
  };
}

function computeOf({ rate, vcpus, memoryMb, containerDiskInGb }: SandboxView): Sandbox["compute"] {
  if (rate === null) return null;
  const costPerHr = rate / 1_000_000;
  return { vcpuCount: vcpus, memoryInGb: memoryGb(memoryMb), containerDiskInGb, costPerHr };
}
