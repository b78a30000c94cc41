// Pods through every interface.

import { writeDockerArgs } from "../../../src/domain/container/docker-args.ts";
import { findPod } from "../../../src/store/pod/row.ts";
import { type Calls, envList, envObject, type Resource } from "./resource.ts";

const FIELDS =
  "name imageName dockerArgs env containerDiskInGb volumeInGb volumeMountPath ports locked gpuCount costPerHr";
const edit = "mutation ($input: PodEditJobInput!) { podEditJob(input: $input) { id } }";
const deploy =
  "mutation ($input: PodFindAndDeployOnDemandInput) { podFindAndDeployOnDemand(input: $input) { id } }";

async function readGraphql({ graphql }: Calls, id: string) {
  const document = `query ($podId: String!) { pod(input: {podId: $podId}) { ${FIELDS} } }`;
  const { env, ...pod } = (await graphql(document, { podId: id })).pod;
  const pairs = env.map((each: string) => each.split("="));
  return { ...pod, env: pairs.map(([key, value]: string[]) => ({ key, value })) };
}

/** What podEditJob takes. */
async function readInput(calls: Calls, id: string) {
  const { name, locked, gpuCount, costPerHr, ...input } = await readGraphql(calls, id);
  return { podId: id, ...input };
}

const env = { A: "1" };
const GPU = "NVIDIA A40";

export const pods: Resource = {
  noun: "Pod",
  create: {
    v1: async ({ rest }, name) => {
      const container = {
        imageName: "i",
        env,
        ports: ["80/http"],
        dockerStartCmd: ["serve", "a b"],
      };
      const disks = { containerDiskInGb: 7, volumeInGb: 20 };
      const more = { gpuTypeIds: [GPU, "NVIDIA L4"], countryCodes: ["RO"], driver: "simulated" };
      return (await rest("POST", "/v1/pods", { name, ...container, ...disks, ...more }, 201)).id;
    },
    v2: async ({ rest }, name) => {
      const container = { image: "i", env, ports: ["80/http"], cmd: ["serve", "a b"], disk: 7 };
      const mounts = { persistent: { size: 20, path: "/workspace" } };
      const body = { name, ...container, mounts, gpu: { id: GPU }, driver: "simulated" };
      return (await rest("POST", "/v2/pods", body, 201)).id;
    },
    graphql: async ({ graphql }, name) => {
      const container = {
        imageName: "i",
        env: envList(env),
        ports: "80/http",
        dockerArgs: 'serve "a b"',
      };
      const more = { containerDiskInGb: 7, volumeInGb: 20, gpuTypeId: GPU, driver: "simulated" };
      const input = { name, ...container, ...more, cloudType: "SECURE" };
      return (await graphql(deploy, { input })).podFindAndDeployOnDemand.id;
    },
  },
  read: {
    v1: async ({ rest }, id) => {
      const read = await rest("GET", `/v1/pods/${id}`);
      const { name, imageName: image, env, ports, locked, gpuCount, costPerHr } = read;
      const { containerDiskInGb: disk, volumeInGb: volume, volumeMountPath: path } = read;
      const args = writeDockerArgs(read);
      return { name, image, env, ports, locked, disk, volume, path, args, gpuCount, costPerHr };
    },
    v2: async ({ rest }, id) => {
      const read = await rest("GET", `/v2/pods/${id}`);
      const { name, image, env, ports, locked, disk, args, gpu, cost: costPerHr } = read;
      const { size: volume, path } = read.mounts.persistent;
      const shared = { name, image, env, ports, locked, disk, volume, path, args };
      return { ...shared, gpuCount: gpu.count, costPerHr };
    },
    graphql: async (calls, id) => {
      const read = await readGraphql(calls, id);
      const { name, imageName: image, locked, dockerArgs: args, gpuCount, costPerHr } = read;
      const { containerDiskInGb: disk, volumeInGb: volume, volumeMountPath: path } = read;
      const container = { image, env: envObject(read.env), ports: read.ports.split(","), args };
      return { name, ...container, locked, disk, volume, path, gpuCount, costPerHr };
    },
  },
  change: {
    v1: ({ rest }, id, imageName) => rest("PATCH", `/v1/pods/${id}`, { imageName }),
    v2: ({ rest }, id, image) => rest("PATCH", `/v2/pods/${id}`, { image }),
    graphql: async (calls, id, imageName) =>
      calls.graphql(edit, { input: { ...(await readInput(calls, id)), imageName } }),
  },
  echo: {
    v1: async ({ rest }, id) => {
      const read = await rest("GET", `/v1/pods/${id}`);
      const { name, imageName, env, ports, locked, dockerEntrypoint, dockerStartCmd } = read;
      const { containerDiskInGb, volumeInGb, volumeMountPath } = read;
      return rest("PATCH", `/v1/pods/${id}`, {
        name,
        imageName,
        env,
        ports,
        locked,
        dockerEntrypoint,
        dockerStartCmd,
        containerDiskInGb,
        volumeInGb,
        volumeMountPath,
      });
    },
    v2: async ({ rest }, id) => {
      const read = await rest("GET", `/v2/pods/${id}`);
      const { name, image, env, ports, locked, disk, args, entrypoint, cmd, mounts, registry } =
        read;
      const container = { image, env, ports, disk, args, entrypoint, cmd, registry };
      return rest("PATCH", `/v2/pods/${id}`, { name, locked, mounts, ...container });
    },
    graphql: async (calls, id) => calls.graphql(edit, { input: await readInput(calls, id) }),
  },
  fill: async ({ rest }, id) => {
    const stopAfter = new Date(Date.now() + 86_400_000).toISOString();
    await rest("PATCH", `/v1/pods/${id}`, { stopAfter, dockerEntrypoint: ["sh", "-c"] });
  },
  stored: async ({ service }, id) => {
    const { name, desired } = (await service.service.store.read(findPod, id))!;
    const { spec, locked, stopAfter, terminateAfter } = desired;
    return { name, locked, stopAfter, terminateAfter, ...spec };
  },
  changes: ["imageName"],
};
