// Endpoints through every interface.

import { findEndpoint } from "../../../src/store/endpoint/endpoint.ts";
import { findTemplate } from "../../../src/store/template/template.ts";
import type { Calls, Resource } from "./resource.ts";

const FIELDS =
  "id name gpuIds gpuCount workersMin workersMax idleTimeout scalerType scalerValue executionTimeoutMs flashBootType locations";
const save = "mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id } }";

async function readGraphql({ graphql }: Calls, id: string) {
  const document = `query ($id: String!) { myself { endpoint(id: $id) { ${FIELDS} template { imageName } } } }`;
  return (await graphql(document, { id })).myself.endpoint;
}

/** Without GraphQL's answer for the template. */
async function readInput(calls: Calls, id: string) {
  const { template, ...input } = await readGraphql(calls, id);
  return input;
}

const workers = { workersMin: 0, workersMax: 0, idleTimeout: 10 };
const scaler = { scalerType: "QUEUE_DELAY", scalerValue: 4 };

export const endpoints: Resource = {
  noun: "endpoint",
  create: {
    v1: async ({ rest }, name) => {
      const template = { name: `${name} template`, imageName: "i", isServerless: true };
      const { id: templateId } = await rest("POST", "/v1/templates", template);
      const gpu = { gpuTypeIds: ["NVIDIA A40", "NVIDIA RTX A6000"], gpuCount: 1 };
      const limits = { ...workers, ...scaler, executionTimeoutMs: 300_000 };
      const body = { name, templateId, ...gpu, ...limits };
      return (await rest("POST", "/v1/endpoints", body)).id;
    },
    v2: async ({ rest }, name) => {
      const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
      const container = { type: "QUEUE", image: "i", gpu: { pools: ["AMPERE_48"] } };
      const body = { name, ...container, scaling, workers: { max: 0 } };
      return (await rest("POST", "/v2/serverless", body, 201)).id;
    },
    graphql: async ({ graphql }, name) => {
      const container = {
        imageName: "i",
        dockerArgs: "",
        env: [],
        containerDiskInGb: 5,
        volumeInGb: 0,
      };
      const limits = { ...workers, ...scaler, executionTimeoutMs: 300_000 };
      const input = { name, gpuIds: "AMPERE_48", ...limits, template: container };
      return (await graphql(save, { input })).saveEndpoint.id;
    },
  },
  read: {
    v1: async ({ rest }, id) => {
      const read = await rest("GET", `/v1/endpoints/${id}?includeTemplate=true`);
      const { name, gpuIds, gpuCount, workersMin, workersMax, idleTimeout, template } = read;
      const { scalerType, scalerValue, executionTimeoutMs: timeout } = read;
      const scaling = { scalerType, scalerValue, timeout, flashboot: read.flashBootType };
      const limits = { workersMin, workersMax, idleTimeout, ...scaling };
      return { name, gpuIds, gpuCount, ...limits, image: template.imageName };
    },
    v2: async ({ rest }, id) => {
      const read = await rest("GET", `/v2/serverless/${id}`);
      const { name, gpu, scaling, timeout, flashboot, image } = read;
      const { min, max, idleTimeout } = read.workers;
      const excluded = gpu.excludedTypes.map((type: string) => `-${type}`);
      return {
        name,
        gpuIds: [...gpu.pools, ...excluded].join(","),
        gpuCount: gpu.count,
        workersMin: min,
        workersMax: max,
        idleTimeout,
        scalerType: scaling.type,
        scalerValue: Math.round(scaling.queueDelay),
        timeout,
        flashboot,
        image,
      };
    },
    // The places of GraphQL are compared as they are stored.
    graphql: async (calls, id) => {
      const { id: _, locations, template, ...read } = await readGraphql(calls, id);
      const { executionTimeoutMs: timeout, flashBootType: flashboot, ...same } = read;
      return { ...same, timeout, flashboot, image: template.imageName };
    },
  },
  change: {
    v1: ({ rest }, id, name) => rest("PATCH", `/v1/endpoints/${id}`, { name }),
    v2: ({ rest }, id, name) => rest("PATCH", `/v2/serverless/${id}`, { name }),
    graphql: async (calls, id, name) =>
      calls.graphql(save, { input: { ...(await readInput(calls, id)), name } }),
  },
  echo: {
    v1: async ({ rest }, id) => {
      const read = await rest("GET", `/v1/endpoints/${id}`);
      const { name, gpuTypeIds, gpuCount, workersMin, workersMax, idleTimeout, templateId } = read;
      const { scalerType, scalerValue, executionTimeoutMs, flashboot, dataCenterIds } = read;
      const { allowedCudaVersions, networkVolumeIds, resultRetentionMs } = read;
      return rest("PATCH", `/v1/endpoints/${id}`, {
        name,
        gpuTypeIds,
        gpuCount,
        workersMin,
        workersMax,
        idleTimeout,
        templateId,
        scalerType,
        scalerValue,
        executionTimeoutMs,
        flashboot,
        dataCenterIds,
        allowedCudaVersions,
        networkVolumeIds,
        resultRetentionMs,
      });
    },
    v2: async ({ rest }, id) => {
      const read = await rest("GET", `/v2/serverless/${id}`);
      const { id: _, type, requestUrls, createdAt, ...body } = read;
      const { minCudaVersion, ...gpu } = body.gpu;
      const { timeout, ...same } = body;
      const sent = { ...gpu, minCudaVersion: minCudaVersion ?? "" };
      return rest("PATCH", `/v2/serverless/${id}`, { ...same, timeout, gpu: sent });
    },
    graphql: async (calls, id) => calls.graphql(save, { input: await readInput(calls, id) }),
  },
  fill: async (calls, id) => {
    const { rest, graphql } = calls;
    // The first type is preferred, which pools cannot say.
    const gpuTypeIds = ["NVIDIA RTX A6000", "NVIDIA A40"];
    const retention = { resultRetentionMs: 60_000, failureRetentionMs: 120_000 };
    await rest("PATCH", `/v1/endpoints/${id}`, { gpuTypeIds, ...retention });
    const input = { ...(await readInput(calls, id)), locations: "RO,US-TX-3" };
    await graphql(save, { input });
    const scaling = { type: "QUEUE_DELAY", queueDelay: 2.5 };
    await rest("PATCH", `/v2/serverless/${id}`, { scaling });
  },
  stored: async ({ service }, id) => {
    const { store } = service.service;
    const { spec, ...endpoint } = (await store.read(findEndpoint, id))!;
    const template = (await store.read(findTemplate, endpoint.templateId))!;
    return { ...endpoint, ...spec, container: template.spec };
  },
  changes: ["name"],
};
