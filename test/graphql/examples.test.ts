// The operations of public examples, each sent with the key in the header and in the URL. The
// selected fields must exist and have the types that the examples print.

import assert from "node:assert/strict";
import { testOnBoth } from "../fidelity/both.ts";
import { witness } from "../fidelity/witness.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { MACHINE, podsOf } from "../pods/fixture.ts";

const string = "string";
const number = "number";
const list = "object";

/** A document, and the type of each field of its one root; for a list, of its first entry. */
type Example = [query: string, types: Record<string, string> | null];

const runtime = `runtime { uptimeInSeconds gpus { id gpuUtilPercent memoryUtilPercent }
  container { cpuPercent memoryPercent } }`;
const withPorts = `runtime { uptimeInSeconds ports { ip isIpPublic privatePort publicPort type }
  gpus { id gpuUtilPercent memoryUtilPercent } container { cpuPercent memoryPercent } }`;

const deploy = (
  more: string,
) => `mutation { podFindAndDeployOnDemand(input: { cloudType: ALL, gpuCount: 1,
  volumeInGb: 40, containerDiskInGb: 40, gpuTypeId: "NVIDIA RTX A6000", name: "Example",
  imageName: "example/tensorflow", ${more} }) { id imageName env machineId machine { podHostId } } }`;

const rent = (more: string) => `mutation { podRentInterruptable(input: { bidPerGpu: 0.3,
  cloudType: SECURE, gpuCount: 1, volumeInGb: 40, containerDiskInGb: 40, minVcpuCount: 2, minMemoryInGb: 15,
  gpuTypeId: "NVIDIA RTX A6000", name: "Example spot", imageName: "example/pytorch", dockerArgs: "",
  ports: "8888/http", volumeMountPath: "/workspace",
  env: [{ key: "JUPYTER_PASSWORD", value: "vunw9ybnzqwpia2795p2" }], ${more} })
  { id imageName env machineId machine { podHostId } } }`;

const examples = (pod: string): Example[] => [
  ["query { myself { id email } }", { id: string }],
  [
    deploy(`minVcpuCount: 2, minMemoryInGb: 15, dockerArgs: "", ports: "8888/http",
      volumeMountPath: "/workspace", env: [{ key: "JUPYTER_PASSWORD", value: "rn51hunbpgtltcpac3ol" }]`),
    { id: string, imageName: string, env: list, machineId: string, machine: "object" },
  ],
  [
    deploy('allowedCudaVersions: ["12.0", "12.1", "12.2", "12.3"]'),
    { id: string, imageName: string },
  ],
  [`query { myself { pods { id name ${runtime} } } }`, { pods: list }],
  [`query Pods { myself { pods { id name ${withPorts} } } }`, { pods: list }],
  [
    `query Pod { pod(input: { podId: "${pod}" }) { id name ${runtime} } }`,
    { id: string, name: string, runtime: "object" },
  ],
  [
    `query Pod { pod(input: { podId: "${pod}" }) { id name ${withPorts} } }`,
    { id: string, runtime: "object" },
  ],
  [
    `mutation { podStop(input: { podId: "${pod}" }) { id desiredStatus } }`,
    { id: string, desiredStatus: string },
  ],
  [
    `mutation { podResume(input: { podId: "${pod}", gpuCount: 1 }) { id desiredStatus imageName env machineId machine { podHostId } } }`,
    { id: string, desiredStatus: string, env: list },
  ],
  [
    `mutation { podResume(input: { podId: "${pod}", gpuCount: 1, allowedCudaVersions: ["12.0", "12.1"] }) { id desiredStatus } }`,
    { id: string, desiredStatus: string },
  ],
  [
    "query GpuTypes { gpuTypes { id displayName memoryInGb } }",
    { id: string, displayName: string, memoryInGb: number },
  ],
  [
    `query GpuTypes { gpuTypes(input: { id: "NVIDIA GeForce RTX 3090" }) { id displayName memoryInGb secureCloud
      communityCloud lowestPrice(input: { gpuCount: 1 }) { uninterruptablePrice } } }`,
    { secureCloud: "boolean", communityCloud: "boolean", lowestPrice: "object" },
  ],
  [
    `query { gpuTypes(input: { id: "NVIDIA GeForce RTX 4090" }) { id displayName lowestPrice(input: { gpuCount: 1,
      secureCloud: true }) { stockStatus uninterruptablePrice availableGpuCounts } } }`,
    { lowestPrice: "object" },
  ],
  [
    `mutation { saveTemplate(input: { containerDiskInGb: 5, dockerArgs: "sleep infinity", env: [{ key: "key1",
      value: "value1" }, { key: "key2", value: "value2" }], imageName: "ubuntu:latest", name: "Generated Template",
      ports: "8888/http,22/tcp", readme: "## Hello", volumeInGb: 15, volumeMountPath: "/workspace" })
      { containerDiskInGb dockerArgs env { key value } id imageName name ports readme volumeInGb volumeMountPath } }`,
    {
      containerDiskInGb: number,
      dockerArgs: string,
      env: list,
      ports: string,
      volumeMountPath: string,
    },
  ],
  [
    `mutation { saveTemplate(input: { containerDiskInGb: 5, dockerArgs: "python handler.py", env: [],
      imageName: "example/serverless-hello-world:latest", isServerless: true, name: "Generated Serverless",
      volumeInGb: 0 }) { id name imageName isServerless containerDiskInGb dockerArgs env { key value } } }`,
    { isServerless: "boolean", env: list },
  ],
];

async function send(service: TestService, [query, types]: Example, inAddress: boolean) {
  const path = inAddress ? `/graphql?api_key=${service.key}` : "/graphql";
  const headers = { "user-agent": "public examples", ...(inAddress && { authorization: "" }) };
  const answer = await service.call("POST", path, { query }, headers);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.json), ["data"], `${query} ${answer.text}`);
  const [root] = Object.values(answer.json.data) as [unknown];
  const shown = (Array.isArray(root) ? root[0] : root) as Record<string, unknown>;
  for (const [name, type] of Object.entries(types ?? {})) {
    assert.equal(typeof shown[name], type, `${name} ${answer.text.slice(0, 400)}`);
    assert.notEqual(shown[name], null, name);
  }
  return root as { id: string };
}

/** Operations that need an id from an earlier one, or can be sent only once. */
async function sendInOrder(service: TestService, inAddress: boolean) {
  const run = (query: string, types: Example[1] = null) => send(service, [query, types], inAddress);
  const n = inAddress ? "2" : "1";
  const template = await run(
    `mutation { saveTemplate(input: { containerDiskInGb: 5, imageName: "i", name: "Order ${n}", volumeInGb: 15 }) { id name } }`,
  );
  await run(
    `mutation { saveTemplate(input: { id: "${template.id}", containerDiskInGb: 5, imageName: "i", name: "Order ${n}",
      volumeInGb: 15, readme: "new" }) { id containerDiskInGb volumeInGb readme } }`,
    { readme: string },
  );
  const endpoint = await run(
    `mutation { saveEndpoint(input: { gpuIds: "AMPERE_16", idleTimeout: 5, locations: "US", name: "Endpoint -fb",
      flashBootType: FLASHBOOT, scalerType: "QUEUE_DELAY", scalerValue: 4, templateId: "${template.id}", workersMax: 3,
      workersMin: 0 }) { id name gpuIds idleTimeout locations flashBootType scalerType scalerValue templateId workersMax workersMin } }`,
    {
      gpuIds: string,
      idleTimeout: number,
      locations: string,
      scalerValue: number,
      workersMax: number,
    },
  );
  await run(
    `mutation { saveEndpoint(input: { id: "${endpoint.id}", gpuIds: "AMPERE_16", name: "Endpoint -fb", templateId: "${template.id}",
      workersMax: 0 }) { id gpuIds name templateId workersMax } }`,
    { workersMax: number },
  );
  await run(
    `query Endpoints { myself { endpoints { gpuIds id idleTimeout locations name networkVolumeId pods { desiredStatus }
      scalerType scalerValue templateId workersMax workersMin } serverlessDiscount { discountFactor type expirationDate } } }`,
    { endpoints: list },
  );
  await run(`mutation { deleteEndpoint(id: "${endpoint.id}") }`);
  await run(`mutation { deleteTemplate(templateName: "Order ${n}") }`);
  const secret = await run(
    `mutation { secretCreate(input: { value: "v", name: "name${n}" }) { id name description } }`,
    { id: string, name: string, description: string },
  );
  await run(`mutation { secretDelete(id: "${secret.id}") }`);
  const auth = await service.call("POST", "/v1/containerregistryauth", {
    name: `Registry ${n}`,
    username: "u",
    password: "p",
  });
  await run(
    `mutation { saveTemplate(input: { containerDiskInGb: 5, imageName: "registry.example/private-image:latest",
      containerRegistryAuthId: "${auth.json.id}", name: "Private ${n}", volumeInGb: 10 }) { id name } }`,
    { id: string, name: string },
  );
  const podType = {
    id: string,
    imageName: string,
    env: list,
    machineId: string,
    machine: "object",
  };
  await run(rent('allowedCudaVersions: ["12.0", "12.1", "12.2", "12.3"]'), podType);
  const spot = await run(rent(""), podType);
  await run(`mutation { podStop(input: { podId: "${spot.id}" }) { id desiredStatus } }`);
  await run(
    `mutation { podBidResume(input: { podId: "${spot.id}", bidPerGpu: 0.3, gpuCount: 1 })
      { id desiredStatus imageName env machineId machine { podHostId } } }`,
    { id: string, desiredStatus: string, env: list, machine: "object" },
  );
}

const options = {
  env: { FREEHOLD_MACHINE: JSON.stringify(MACHINE) },
  protocol: { endGraceMs: 200 },
};

for (const inAddress of [false, true]) {
  const place = inAddress ? "address" : "header";
  testOnBoth(`public examples, the key in the ${place}`, options, async (t, start) => {
    const service = await start();
    witness(t, service, "the documents of public GraphQL examples");
    const image = { imageName: service.shellImage, dockerStartCmd: ["sleep", "1000"] };
    const body = { ...image, gpuTypeIds: ["NVIDIA A40"] };
    const { id } = (await service.call("POST", "/v1/pods", body)).json;
    await until(podsOf(service).reached, id);
    for (const example of examples(id)) await send(service, example, inAddress);
    await sendInOrder(service, inAddress);
  });
}
