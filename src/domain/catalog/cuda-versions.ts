// CUDA versions that a machine can be asked for, the newest first.

export const cudaVersions: readonly string[] = [
  "13.0",
  "12.9",
  "12.8",
  "12.7",
  "12.6",
  "12.5",
  "12.4",
  "12.3",
  "12.2",
  "12.1",
  "12.0",
  "11.8",
];
