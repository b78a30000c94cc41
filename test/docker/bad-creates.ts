// Creates that every Freehold refuses: of Pods, endpoints, templates, volumes, clusters and sandboxes, in REST v1, REST v2
// and GraphQL.

type BadCreate = [path: string, body: object];

const IMAGE = "acme/llm:1";
const long = "x".repeat(131_072);
const cpu = { id: "cpu3c", vcpuCount: 2 };

const each = (path: string, base: object, changes: object[]): BadCreate[] =>
  changes.map((change) => [path, { ...base, ...change }]);

const mutation = (name: string, type: string, base: object, changes: object[]): BadCreate[] =>
  changes.map((change) => [
    "/graphql",
    {
      query: `mutation ($input: ${type}) { ${name}(input: $input) { id } }`,
      variables: { input: { ...base, ...change } },
    },
  ]);

export const BAD_CREATES: BadCreate[] = [
  ...each("/v1/pods", { imageName: IMAGE }, [
    { imageName: "acme/LLM:1" },
    { imageName: "" },
    { imageName: 7 },
    { gpuCount: 9 },
    { gpuCount: -1 },
    { gpuTypeIds: ["NVIDIA A4"] },
    { gpuTypeIds: ["NVIDIA A40"], gpuCount: 3 },
    { computeType: "CPU", vcpuCount: 64 },
    { ports: ["70000/http"] },
    { ports: ["8000/udp"] },
    { dockerStartCmd: ["y".repeat(4_097)] },
    { dockerStartCmd: ["echo", long] },
    { env: { "A=B": "1" } },
    { env: { A: "a\0b" } },
    { templateId: "nosuch" },
    { networkVolumeId: "nosuch" },
    { containerRegistryAuthId: "nosuch" },
    { containerDiskInGb: -5 },
    { volumeMountPath: "workspace" },
    { dataCenterIds: ["XX-1"] },
    { minCudaVersion: "twelve" },
    { driver: "podman" },
    { driver: "process" },
    { noSuchField: 1 },
    { stopAfter: "tomorrow" },
  ]),
  ...each("/v1/templates", { name: "t", imageName: IMAGE }, [
    { name: "" },
    { imageName: "acme//llm" },
    { ports: ["http"] },
    { containerRegistryAuthId: "nosuch" },
    { dockerStartCmd: "run" },
  ]),
  ...each("/v1/endpoints", { templateId: "nosuch" }, [
    {},
    { templateId: undefined },
    { workersMax: -1 },
    { scalerType: "MAGIC" },
    { idleTimeout: 0 },
    { gpuTypeIds: ["NVIDIA A4"] },
  ]),
  ...each("/v1/networkvolumes", { name: "v", size: 10, dataCenterId: "EU-RO-1" }, [
    { size: 0 },
    { size: 1_000_000 },
    { dataCenterId: "XX-1" },
    { name: undefined },
  ]),
  ...each("/v2/pods", { name: "p", image: IMAGE, cpu }, [
    { image: "acme/LLM:1" },
    { cpu: { id: "cpu99", vcpuCount: 2 } },
    { cpu: { id: "cpu3c", vcpuCount: 3 } },
    { cpu: undefined },
    { gpu: { id: "NVIDIA A40", count: 1 } },
    { noSuchField: 1 },
  ]),
  ...each(
    "/v2/serverless",
    {
      name: "e",
      image: IMAGE,
      type: "QUEUE",
      cpu: [cpu],
      workers: { max: 1 },
      scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
    },
    [
      { image: "acme/llm:" },
      { type: "STACK" },
      { workers: { min: 3, max: 1 } },
      { scaling: { type: "QUEUE_DELAY", queueDelay: -1 } },
    ],
  ),
  ...each("/v2/templates", { name: "t", image: IMAGE }, [{ image: "UPPER" }, { name: 1 }]),
  ...each("/v2/sandboxes", { imageName: IMAGE, disk: 1 }, [
    { imageName: "acme/LLM:1" },
    { imageName: undefined },
    { disk: 0 },
    { templateId: "nosuch" },
    { entrypoint: ["y".repeat(4_097)] },
    { maxLifetimeSeconds: -1 },
  ]),
  ...mutation(
    "podFindAndDeployOnDemand",
    "PodFindAndDeployOnDemandInput!",
    { name: "p", imageName: IMAGE, gpuTypeId: "NVIDIA A40", gpuCount: 1 },
    [
      { imageName: "acme/LLM:1" },
      { gpuCount: 9 },
      { gpuCount: 3 },
      { gpuTypeId: "NVIDIA A4" },
      { dockerArgs: "y".repeat(4_097) },
      { templateId: "nosuch" },
      { noSuchField: 1 },
      { ports: "70000/http" },
      { networkVolumeId: "nosuch" },
    ],
  ),
  ...mutation(
    "podRentInterruptable",
    "PodRentInterruptableInput!",
    { name: "p", imageName: IMAGE, gpuTypeId: "NVIDIA A40", gpuCount: 1, bidPerGpu: 1 },
    [{ bidPerGpu: 0 }, { imageName: "a b" }],
  ),
  ...mutation(
    "saveTemplate",
    "SaveTemplateInput!",
    {
      name: "t",
      imageName: IMAGE,
      containerDiskInGb: 1,
      volumeInGb: 0,
      dockerArgs: "",
      env: [],
    },
    [{ imageName: "acme/LLM:1" }, { containerDiskInGb: -1 }, { env: [{ key: "", value: "1" }] }],
  ),
  ...mutation(
    "createCluster",
    "CreateClusterInput!",
    {
      clusterName: "c",
      imageName: IMAGE,
      gpuTypeId: "NVIDIA A40",
      podCount: 2,
      gpuCountPerPod: 1,
      type: "TRAINING",
    },
    [
      { podCount: 1 },
      { podCount: 99 },
      { gpuCountPerPod: 9 },
      { imageName: "acme/LLM:1" },
      { gpuTypeId: "NVIDIA A4" },
    ],
  ),
  ...mutation(
    "saveEndpoint",
    "EndpointInput!",
    { name: "e", templateId: "nosuch", gpuIds: "A40" },
    [{}, { workersMax: -1 }],
  ),
];
