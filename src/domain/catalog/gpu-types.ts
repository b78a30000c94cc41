// GPU types by the ids that clients send, and the pools that serverless clients name them by.

/** Every GPU type, in the order of the catalog. */
export const gpuTypeIds: readonly string[] = [
  "NVIDIA GeForce RTX 4090",
  "NVIDIA A40",
  "NVIDIA RTX A5000",
  "NVIDIA GeForce RTX 5090",
  "NVIDIA H100 80GB HBM3",
  "NVIDIA GeForce RTX 3090",
  "NVIDIA RTX A4500",
  "NVIDIA L40S",
  "NVIDIA H200",
  "NVIDIA L4",
  "NVIDIA RTX 6000 Ada Generation",
  "NVIDIA A100-SXM4-80GB",
  "NVIDIA RTX 4000 Ada Generation",
  "NVIDIA RTX A6000",
  "NVIDIA A100 80GB PCIe",
  "NVIDIA RTX 2000 Ada Generation",
  "NVIDIA RTX A4000",
  "NVIDIA RTX PRO 6000 Blackwell Server Edition",
  "NVIDIA H100 PCIe",
  "NVIDIA H100 NVL",
  "NVIDIA L40",
  "NVIDIA B200",
  "NVIDIA GeForce RTX 3080 Ti",
  "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
  "NVIDIA GeForce RTX 3080",
  "NVIDIA GeForce RTX 3070",
  "AMD Instinct MI300X OAM",
  "NVIDIA GeForce RTX 4080 SUPER",
  "Tesla V100-PCIE-16GB",
  "Tesla V100-SXM2-32GB",
  "NVIDIA RTX 5000 Ada Generation",
  "NVIDIA GeForce RTX 4070 Ti",
  "NVIDIA RTX 4000 SFF Ada Generation",
  "NVIDIA GeForce RTX 3090 Ti",
  "NVIDIA RTX A2000",
  "NVIDIA GeForce RTX 4080",
  "NVIDIA A30",
  "NVIDIA GeForce RTX 5080",
  "Tesla V100-FHHL-16GB",
  "NVIDIA H200 NVL",
  "Tesla V100-SXM2-16GB",
  "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
  "NVIDIA A5000 Ada",
  "Tesla V100-PCIE-32GB",
  "Tesla T4",
  "NVIDIA A100-SXM4-40GB",
  "NVIDIA B300 SXM6 AC",
  "NVIDIA RTX PRO 4500 Blackwell",
  "NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb",
  "NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 2g.48gb",
];

/** Other spellings that clients send. */
const aliases: Readonly<Record<string, string>> = {
  "NVIDIA  RTX A4500": "NVIDIA RTX A4500",
  "NVIDIA  A30": "NVIDIA A30",
  "NVIDIA GeForce RTX 3080TI": "NVIDIA GeForce RTX 3080 Ti",
  "NVIDIA RTX A30": "NVIDIA A30",
};

/** GPU types that are rented together; a type that is in none stands for itself. */
export const gpuPools: Readonly<Record<string, readonly string[]>> = {
  AMPERE_16: [
    "NVIDIA RTX A4000",
    "NVIDIA RTX A4500",
    "NVIDIA RTX 4000 Ada Generation",
    "NVIDIA RTX 2000 Ada Generation",
  ],
  AMPERE_24: ["NVIDIA RTX A5000", "NVIDIA L4", "NVIDIA GeForce RTX 3090"],
  ADA_24: ["NVIDIA GeForce RTX 4090"],
  ADA_32_PRO: ["NVIDIA GeForce RTX 5090"],
  AMPERE_48: ["NVIDIA A40", "NVIDIA RTX A6000"],
  ADA_48_PRO: ["NVIDIA L40", "NVIDIA L40S", "NVIDIA RTX 6000 Ada Generation"],
  AMPERE_80: ["NVIDIA A100 80GB PCIe", "NVIDIA A100-SXM4-80GB"],
  ADA_80_PRO: ["NVIDIA H100 PCIe", "NVIDIA H100 80GB HBM3", "NVIDIA H100 NVL"],
  BLACKWELL_96: [
    "NVIDIA RTX PRO 6000 Blackwell Server Edition",
    "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
    "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
  ],
  HOPPER_141: ["NVIDIA H200"],
  BLACKWELL_180: ["NVIDIA B200"],
};

/** The catalog's own spelling of a GPU type's id, or null for one that it does not hold. */
export function canonicalGpuType(id: string): string | null {
  const canonical = Object.hasOwn(aliases, id) ? aliases[id]! : id;
  return gpuTypeIds.includes(canonical) ? canonical : null;
}
