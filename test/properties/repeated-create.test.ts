// The body that created a Pod is accepted as an update, and changes nothing.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { simulatedService } from "../pods/fixture.ts";

const RUNS = Number(process.env.FREEHOLD_PROPERTY_RUNS ?? 200);

interface Things {
  templateIds: string[];
  networkVolumeId: string;
  registryAuthId: string;
}

async function things(service: Awaited<ReturnType<typeof simulatedService>>): Promise<Things> {
  const make = async (path: string, body: object) =>
    (await service.call("POST", path, body)).json.id as string;
  const env = { A: "1", B: "1" };
  const auth = { name: "r", username: "u", password: "p" };
  const registryAuthId = await make("/v1/containerregistryauth", auth);
  const template = { imageName: "t", env, ports: ["80/tcp"], volumeInGb: 5 };
  const graphql = `mutation { saveTemplate(input: {name: "services", imageName: "t", startSsh: true,
    startJupyter: true, dockerArgs: "a b", containerDiskInGb: 10, volumeInGb: 5,
    env: [{key: "A", value: "1"}]}) { id } }`;
  const services = await service.call("POST", "/graphql", { query: graphql });
  return {
    registryAuthId,
    templateIds: [
      await make("/v1/templates", { name: "plain", ...template }),
      await make("/v1/templates", {
        name: "private",
        ...template,
        containerRegistryAuthId: registryAuthId,
      }),
      services.json.data.saveTemplate.id,
    ],
    networkVolumeId: await make("/v1/networkvolumes", {
      name: "v",
      size: 1,
      dataCenterId: "EU-RO-1",
    }),
  };
}

function bodies({ templateIds, networkVolumeId, registryAuthId }: Things) {
  const some = <Value>(...values: Value[]) => fc.constantFrom(...values);
  const instant = some("2099-01-01T00:00:00Z");
  return fc.record(
    {
      name: fc.string({ minLength: 1, maxLength: 20 }),
      imageName: some("image", "other"),
      templateId: some(...templateIds, "", null),
      networkVolumeId: some(networkVolumeId, "", null),
      containerRegistryAuthId: some(registryAuthId, ""),
      env: fc.dictionary(some("A", "B", "C"), some("1", "2")),
      ports: fc.uniqueArray(some("22/tcp", "80/http", "90/tcp"), { maxLength: 3 }),
      dockerEntrypoint: fc.array(some("sh", "-c")),
      dockerStartCmd: fc.array(some("sleep", "9")),
      dockerArgs: some("sleep 9", ""),
      containerDiskInGb: some(null, 0, 10),
      volumeInGb: some(null, 0, 30),
      volumeMountPath: some("/data", "/workspace"),
      computeType: some("GPU", "CPU"),
      cloudType: some("SECURE", "COMMUNITY"),
      gpuTypeIds: fc.uniqueArray(some("NVIDIA A40", "NVIDIA L4"), { maxLength: 2 }),
      gpuTypePriority: some("availability", "custom"),
      gpuCount: some(1, 2),
      minRAMPerGPU: some(8, 9),
      minVcpuPerGpu: some(2, 3),
      cpuFlavorIds: fc.uniqueArray(some("cpu3c", "cpu5c"), { maxLength: 2 }),
      vcpuCount: some(2, 4),
      dataCenterIds: fc.uniqueArray(some("EU-RO-1", "us-il-1"), { maxLength: 2 }),
      countryCodes: some([], ["ro"]),
      allowedCudaVersions: some([], ["12.4"]),
      minCudaVersion: some(null, "", "12.4"),
      minDownloadMbps: some(1, 2.5),
      supportPublicIp: some(null, true),
      interruptible: some(true, false),
      bidPerGpu: some(5, 0.9),
      locked: some(true, false),
      globalNetworking: some(false),
      volumeEncrypted: some(false),
      stopAfter: instant,
      terminateAfter: instant,
      driver: some("simulated"),
    },
    { requiredKeys: ["driver", "imageName"] },
  );
}

async function repeat(t: TestContext): Promise<void> {
  const service = await simulatedService(t, {
    env: { FREEHOLD_GPUS: '{"NVIDIA A40": 8, "NVIDIA L4": 8}' },
  });
  let accepted = 0;
  const check = async (body: object) => {
    const creation = await service.call("POST", "/v1/pods", body);
    if (creation.status !== 201) return;
    accepted++;
    const path = `/v1/pods/${creation.json.id}`;
    const eventsOf = async () => (await service.call("GET", `${path}/events`)).json;
    const resets = (events: { event: string }[]) =>
      events.filter(({ event }) => /reset/.test(event));
    const update = await service.call("PATCH", path, body);
    assert.equal(update.status, 200, `${JSON.stringify(body)} ${update.text}`);
    // The container may have started in between; nothing else may differ.
    const settled = ({
      status,
      runtime,
      publicIp,
      portMappings,
      lastStartedAt,
      ...rest
    }: Answered) => rest;
    assert.deepEqual(settled(update.json), settled(creation.json), JSON.stringify(body));
    assert.deepEqual(resets(await eventsOf()), []);
    await service.call("DELETE", path);
  };
  const property = fc.asyncProperty(bodies(await things(service)), check);
  await fc.assert(property, { numRuns: RUNS });
  t.diagnostic(`${accepted} of ${RUNS} bodies created a Pod`);
  assert.ok(accepted > RUNS / 10);
}

// biome-ignore lint/suspicious/noExplicitAny: a Pod as it was answered
type Answered = Record<string, any>;

test("the body that created a Pod is accepted as an update, and changes nothing", repeat);
