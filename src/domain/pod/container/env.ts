// The environment variables of a Pod's container: the user's own and those that images expect.

import { MB_PER_GB } from "../../../base/units.ts";
import { clusterEnv, interfaceEnv } from "../../cluster/env.ts";
import type { PublicPorts } from "../../container/ports.ts";
import { SIMULATED_GPU_ENV } from "../../machine/simulated-gpu-env.ts";
import type { Pod } from "../pod.ts";

export interface EnvSettings {
  /** The user's own variables, with secrets resolved. */
  env: Readonly<Record<string, string>>;
  /** The account's SSH keys, one per line; empty for none. */
  publicKeys: string;
  /** The API key with which the Pod manages itself. */
  ownKey: string;
  /** The service's origin as seen from the container; null if it cannot reach the service. */
  origin: string | null;
  dataCenterId: string | null;
  publicIp: string | null;
  ports: PublicPorts;
}

export function podEnv(pod: Pod, settings: EnvSettings): Record<string, string> {
  return pod.desired.spec.sandbox ? sandboxEnv(pod, settings) : ownEnv(pod, settings);
}

/** Code that is not trusted gets no key and no address of the service. */
function sandboxEnv({ id, placement }: Pod, { env }: EnvSettings): Record<string, string> {
  return {
    ...env,
    RUNPOD_SANDBOX_ID: id,
    RUNPOD_CPU_COUNT: String(placement.vcpus),
    RUNPOD_MEM_GB: String(Math.floor(placement.memoryMb / MB_PER_GB)),
  };
}

function ownEnv(
  { id, cluster, desired: { spec }, placement: { gpus, virtual, vcpus, memoryMb } }: Pod,
  { env, publicKeys, ownKey, origin, dataCenterId, publicIp, ports }: EnvSettings,
): Record<string, string> {
  return {
    // The user's own variables override these.
    ...(publicKeys !== "" && { PUBLIC_KEY: publicKeys }),
    RUNPOD_API_KEY: ownKey,
    ...(origin !== null && addresses(origin)),
    ...(cluster && interfaceEnv(cluster)),
    ...env,
    ...(cluster && clusterEnv(cluster, gpus.length)),
    RUNPOD_POD_ID: id,
    RUNPOD_POD_HOSTNAME: id,
    RUNPOD_GPU_COUNT: String(gpus.length),
    RUNPOD_CPU_COUNT: String(vcpus),
    RUNPOD_MEM_GB: String(Math.floor(memoryMb / MB_PER_GB)),
    ...(dataCenterId !== null && { RUNPOD_DC_ID: dataCenterId }),
    ...(spec.networkVolumeId !== null && { RUNPOD_VOLUME_ID: spec.networkVolumeId }),
    ...(publicIp !== null && { RUNPOD_PUBLIC_IP: publicIp }),
    ...Object.fromEntries(
      Object.entries(ports).map(([port, publicPort]) => [
        `RUNPOD_TCP_PORT_${port}`,
        String(publicPort),
      ]),
    ),
    ...(virtual && SIMULATED_GPU_ENV),
  };
}

/** The variables that clients read to find the service. */
function addresses(origin: string): Record<string, string> {
  return {
    RUNPOD_API_BASE_URL: origin,
    RUNPOD_API_URL: `${origin}/v1`,
    RUNPOD_REST_API_URL: `${origin}/v1`,
    RUNPOD_GRAPHQL_URL: `${origin}/graphql`,
    RUNPOD_ENDPOINT_BASE_URL: `${origin}/v2`,
  };
}
