// The variables a Pod's container is started with: what images expect to be told, and the user's own.

import type { Pod } from "./pod.ts";
import type { PublicPorts } from "./ports.ts";

export interface Told {
  /** The user's own variables, with secrets in their places. */
  env: Readonly<Record<string, string>>;
  /** The account's SSH keys, a line each; empty for none. */
  publicKeys: string;
  /** What lets the Pod look after itself. */
  ownKey: string;
  /** Where it reaches the service; null where it does not. */
  origin: string | null;
  dataCenterId: string | null;
  publicIp: string | null;
  ports: PublicPorts;
}

export function podEnv(
  { id, spec, gpus, virtual, vcpus, memoryMb }: Pod,
  { env, publicKeys, ownKey, origin, dataCenterId, publicIp, ports }: Told,
): Record<string, string> {
  return {
    // What the user may say otherwise.
    ...(publicKeys !== "" && { PUBLIC_KEY: publicKeys }),
    RUNPOD_API_KEY: ownKey,
    ...(origin !== null && addresses(origin)),
    ...env,
    RUNPOD_POD_ID: id,
    RUNPOD_POD_HOSTNAME: id,
    RUNPOD_GPU_COUNT: String(gpus.length),
    RUNPOD_CPU_COUNT: String(vcpus),
    RUNPOD_MEM_GB: String(Math.floor(memoryMb / 1_024)),
    ...(dataCenterId !== null && { RUNPOD_DC_ID: dataCenterId }),
    ...(spec.networkVolumeId !== null && { RUNPOD_VOLUME_ID: spec.networkVolumeId }),
    ...(publicIp !== null && { RUNPOD_PUBLIC_IP: publicIp }),
    ...Object.fromEntries(
      Object.entries(ports).map(([port, leads]) => [`RUNPOD_TCP_PORT_${port}`, String(leads)]),
    ),
    ...(virtual && { FREEHOLD_VIRTUAL_GPU: "1" }),
  };
}

/** Where the usual clients look for the service. */
function addresses(origin: string): Record<string, string> {
  return {
    RUNPOD_API_BASE_URL: origin,
    RUNPOD_API_URL: `${origin}/v1`,
    RUNPOD_REST_API_URL: `${origin}/v1`,
    RUNPOD_GRAPHQL_URL: `${origin}/graphql`,
    RUNPOD_ENDPOINT_BASE_URL: `${origin}/v2`,
  };
}
