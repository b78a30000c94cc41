// Templates through every interface.

import { writeDockerArgs } from "../../../src/domain/container/docker-args.ts";
import { findTemplate } from "../../../src/store/template/template.ts";
import { type Calls, envList, envObject, type Resource } from "./resource.ts";

const FIELDS =
  "id name imageName dockerArgs env { key value } containerDiskInGb volumeInGb volumeMountPath ports readme";
const save = "mutation ($input: SaveTemplateInput!) { saveTemplate(input: $input) { id } }";

async function readGraphql({ graphql }: Calls, id: string) {
  const { podTemplate } = await graphql(
    `query ($id: String!) { podTemplate(id: $id) { ${FIELDS} } }`,
    { id },
  );
  return podTemplate;
}

const env = { A: "1" };

export const templates: Resource = {
  noun: "template",
  create: {
    v1: async ({ rest }, name) => {
      const container = { dockerStartCmd: ["serve", "a b"], env, ports: ["80/http"] };
      const disks = { containerDiskInGb: 7, volumeInGb: 0 };
      const body = { name, imageName: "i", ...container, ...disks };
      return (await rest("POST", "/v1/templates", body)).id;
    },
    v2: async ({ rest }, name) => {
      const body = { name, image: "i", cmd: ["serve", "a b"], env, ports: ["80/http"], disk: 7 };
      return (await rest("POST", "/v2/templates", body, 201)).id;
    },
    graphql: async ({ graphql }, name) => {
      const container = { imageName: "i", dockerArgs: 'serve "a b"', env: envList(env) };
      const input = { name, ...container, ports: "80/http", containerDiskInGb: 7, volumeInGb: 0 };
      return (await graphql(save, { input })).saveTemplate.id;
    },
  },
  read: {
    v1: async ({ rest }, id) => {
      const read = await rest("GET", `/v1/templates/${id}`);
      const { name, imageName, containerDiskInGb, ports, env } = read;
      return {
        name,
        image: imageName,
        disk: containerDiskInGb,
        ports,
        env,
        args: writeDockerArgs(read),
      };
    },
    v2: async ({ rest }, id) => {
      const { name, image, disk, ports, env, args } = await rest("GET", `/v2/templates/${id}`);
      return { name, image, disk, ports, env, args };
    },
    graphql: async (calls, id) => {
      const read = await readGraphql(calls, id);
      const { name, imageName, containerDiskInGb: disk, dockerArgs: args } = read;
      const ports = read.ports.split(",");
      return { name, image: imageName, disk, ports, env: envObject(read.env), args };
    },
  },
  change: {
    v1: ({ rest }, id, imageName) => rest("PATCH", `/v1/templates/${id}`, { imageName }),
    v2: ({ rest }, id, image) => rest("PATCH", `/v2/templates/${id}`, { image }),
    graphql: async (calls, id, imageName) =>
      calls.graphql(save, { input: { ...(await readGraphql(calls, id)), imageName } }),
  },
  echo: {
    v1: async ({ rest }, id) => {
      const read = await rest("GET", `/v1/templates/${id}`);
      const { earned, id: _, isRunpod, isServerless, runtimeInMin, category, ...body } = read;
      return rest("PATCH", `/v1/templates/${id}`, body);
    },
    v2: async ({ rest }, id) => {
      const { id: _, ...body } = await rest("GET", `/v2/templates/${id}`);
      return rest("PATCH", `/v2/templates/${id}`, body);
    },
    graphql: async (calls, id) => calls.graphql(save, { input: await readGraphql(calls, id) }),
  },
  fill: async ({ rest, graphql }, id) => {
    await rest("PATCH", `/v1/templates/${id}`, { readme: "# Title", volumeMountPath: "/data" });
    const flags = { startSsh: false, startJupyter: false, driver: "simulated" };
    const lists = { entrypoint: ["sh"], allowedCudaVersions: ["12.4"] };
    await rest("PATCH", `/v2/templates/${id}`, { ...flags, ...lists });
    const portsConfig = [{ port: "80", name: "Web" }];
    const { podTemplate } = await graphql(
      `query ($id: String!) { podTemplate(id: $id) { ${FIELDS} } }`,
      { id },
    );
    const more = { portsConfig, advancedStart: true, config: { a: [1] } };
    await graphql(save, { input: { ...podTemplate, ...more } });
  },
  stored: async ({ service }, id) => {
    const { spec, ...template } = (await service.service.store.read(findTemplate, id))!;
    return { ...template, ...spec };
  },
  changes: ["imageName"],
};
