// The variables of Pods and workers on simulated GPUs.

export const SIMULATED_GPU_ENV = {
  FREEHOLD_SIMULATED_GPU: "1",
  /** The earlier name, which ends with the next release. */
  FREEHOLD_VIRTUAL_GPU: "1",
} as const;
