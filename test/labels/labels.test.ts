// Labels: set, changed in place, read in every interface, and selected by.

import assert from "node:assert/strict";
import { test } from "node:test";
import { freehold } from "../cli/command.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const labels = { team: "search", run: "a=b,c" };

async function createAll({ call }: TestService): Promise<Record<string, string>> {
  const template = { name: "t", imageName: "i", isServerless: true };
  const { json: created } = await call("POST", "/v1/templates", template);
  const bodies: Record<string, object> = {
    pods: { imageName: "i", computeType: "CPU", labels },
    endpoints: { templateId: created.id, workersMax: 0, labels },
    networkvolumes: { name: "v", size: 1, dataCenterId: "EU-RO-1", labels },
  };
  const ids: Record<string, string> = {};
  for (const [path, body] of Object.entries(bodies)) {
    const { json, status, text } = await call("POST", `/v1/${path}`, body);
    assert.ok(status < 300, text);
    assert.deepEqual(json.labels, labels, path);
    ids[path] = json.id;
  }
  return ids;
}

test("labels are set at creation, read in every interface, selected by, and replaced in place", async (t) => {
  const service = await simulatedService(t);
  const { call } = service;
  const ids = await createAll(service);
  const running = await until(podsOf(service).reached, ids.pods!);
  for (const [path, id] of Object.entries(ids)) {
    const listed = async (...filters: string[]) => {
      const query = filters.map((each) => `labels=${encodeURIComponent(each)}`).join("&");
      const { json } = await call("GET", `/v1/${path}?${query}`);
      return json.map((each: { id: string }) => each.id);
    };
    assert.deepEqual(await listed("team=search", "run=a=b,c"), [id]);
    assert.deepEqual(await listed("team=search", "run=a=b"), []);
    assert.deepEqual(await listed("toString=x"), []);
    const refused = await call("GET", `/v1/${path}?labels=team`);
    assert.deepEqual([refused.status, refused.json.code], [400, "invalid_query"]);
    assert.match(refused.json.error, /"labels" must be a list, each a label such as team=search/);

    await call("PATCH", `/v1/${path}/${id}`, { name: "renamed" });
    assert.deepEqual((await call("GET", `/v1/${path}/${id}`)).json.labels, labels);
    const changed = await call("PATCH", `/v1/${path}/${id}`, { labels: { team: "" } });
    assert.deepEqual(changed.json.labels, { team: "" }, changed.text);
    assert.deepEqual(await listed("team="), [id]);
    const v2 = { endpoints: "serverless", networkvolumes: "network-volumes" }[path] ?? path;
    const read = await call("GET", `/v2/${v2}/${id}`);
    assert.deepEqual(read.json.labels, { team: "" }, read.text);
    const other = await call("PATCH", `/v2/${v2}/${id}`, { labels: { team: "v2" } });
    assert.deepEqual(other.json.labels, { team: "v2" }, other.text);
    await call("PATCH", `/v2/${v2}/${id}`, { labels: { team: "" } });
  }
  const list = "labels { key value }";
  const query = `{ myself { pods { ${list} } endpoints { ${list} } networkVolumes { ${list} } } }`;
  const { myself } = (await call("POST", "/graphql", { query })).json.data;
  for (const [name, [one]] of Object.entries(myself as Record<string, object[]>))
    assert.deepEqual(one, { labels: [{ key: "team", value: "" }] }, name);

  for (const [path, id] of Object.entries(ids))
    assert.equal((await call("PATCH", `/v1/${path}/${id}`, { labels: {} })).json.labels, undefined);
  // None of it made another container or another release.
  const pod = await podsOf(service).get(ids.pods!);
  assert.equal(pod.lastStartedAt, running.lastStartedAt);
  assert.equal((await call("GET", `/v1/endpoints/${ids.endpoints}`)).json.version, 1);
});

test("GraphQL creates and changes Pods, endpoints and network volumes with labels", async (t) => {
  const service = await simulatedService(t);
  const shown = "id labels { key value }";
  const label = (value: string) => [{ key: "team", value }];
  const { json: template } = await service.call("POST", "/v1/templates", {
    name: "t",
    imageName: "i",
    isServerless: true,
  });
  const pod = { imageName: "i", driver: "simulated", containerDiskInGb: 5 };
  const gpu = { ...pod, gpuTypeId: "NVIDIA A40", gpuCount: 1 };
  const endpoint = { name: "e", templateId: template.id, gpuIds: "AMPERE_48", workersMax: 0 };
  const volume = { name: "v", size: 1, dataCenterId: "EU-RO-1" };
  const save = "saveEndpoint(input: $input)";
  const creations: [mutation: string, type: string, input: object, change: string][] = [
    ["podFindAndDeployOnDemand(input: $input)", "PodFindAndDeployOnDemandInput", gpu, "pod"],
    ["podRentInterruptable(input: $input)", "PodRentInterruptableInput", gpu, "pod"],
    [
      ...(["deployCpuPod(input: $input)", "deployCpuPodInput"] as const),
      ...([{ ...pod, instanceId: "cpu3c-2-4" }, "pod"] as const),
    ],
    [save, "EndpointInput!", endpoint, "endpoint"],
    ["createNetworkVolume(input: $input)", "CreateNetworkVolumeInput", volume, "volume"],
  ];
  const changes: Record<string, (id: string, labels: object[]) => [string, string, object]> = {
    pod: (podId, labels) => ["podEditJob(input: $input)", "PodEditJobInput!", { podId, labels }],
    endpoint: (id, labels) => [save, "EndpointInput!", { ...endpoint, id, labels }],
    volume: (id, labels) => [
      ...(["updateNetworkVolume(input: $input)", "UpdateNetworkVolumeInput"] as const),
      { id, labels },
    ],
  };
  const mutate = async (mutation: string, type: string, input: object) => {
    const query = `mutation ($input: ${type}) { one: ${mutation} { ${shown} } }`;
    const { json } = await service.call("POST", "/graphql", { query, variables: { input } });
    return json;
  };
  for (const [mutation, type, input, kind] of creations) {
    const { data } = await mutate(mutation, type, { ...input, labels: label("a") });
    assert.deepEqual(data?.one.labels, label("a"), mutation);
    const changeTo = (labels: object[]) => mutate(...changes[kind]!(data.one.id, labels));
    assert.deepEqual((await changeTo(label("b"))).data?.one.labels, label("b"), mutation);
    const twice = await changeTo([...label("a"), ...label("b")]);
    assert.match(twice.errors[0].message, /"labels" must have "team" once/);
    const invalid = await changeTo([{ key: "a=b", value: "" }]);
    assert.match(invalid.errors[0].message, /"labels" has the name "a=b"/);
    assert.deepEqual((await changeTo([])).data?.one.labels, [], mutation);
  }
  // Clients that know no labels leave them as they are.
  const [, , , kind] = creations[3]!;
  const { json } = await service.call("GET", "/v1/endpoints");
  const { id } = json[0];
  await mutate(...changes[kind]!(id, label("kept")));
  const { data } = await mutate(save, "EndpointInput!", { ...endpoint, id, workersMax: 1 });
  assert.deepEqual(data.one.labels, label("kept"));
});

test("REST v2 creates Pods, endpoints and network volumes with labels", async (t) => {
  const { call } = await simulatedService(t);
  const gpu = { id: "NVIDIA A40" };
  const container = { name: "n", image: "i" };
  const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
  const bodies = {
    pods: { ...container, gpu },
    serverless: { ...container, gpu: { pools: ["AMPERE_48"] }, type: "QUEUE", scaling },
    "network-volumes": { name: "v", size: 10, dataCenter: "EU-RO-1" },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const { json, text } = await call("POST", `/v2/${path}`, { ...body, labels });
    assert.deepEqual(json.labels, labels, text);
    const renamed = await call("PATCH", `/v2/${path}/${json.id}`, { name: "renamed" });
    assert.deepEqual(renamed.json.labels, labels, renamed.text);
    const none = await call("PATCH", `/v2/${path}/${json.id}`, { labels: {} });
    assert.deepEqual([none.status, none.json.labels], [200, undefined], none.text);
  }
});

test("a label that cannot be is refused with its place and its limit", async (t) => {
  const service = await simulatedService(t);
  const { json: pod } = await service.call("POST", "/v1/pods", {
    imageName: "i",
    computeType: "CPU",
  });
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`l${n}`, ""]));
  const cases: [labels: unknown, sentence: RegExp][] = [
    [
      { "a=b": "c" },
      /"labels" has the name "a=b"; a name must have at most 63 characters and no "="/,
    ],
    [{ ["k".repeat(64)]: "c" }, /at most 63 characters/],
    [{ "": "c" }, /at most 63 characters/],
    [{ team: "v".repeat(256) }, /"labels\.team" must be a string of at most 255 characters/],
    [{ team: 7 }, /"labels\.team" must be a string of at most 255 characters; it is 7/],
    [many, /"labels" must be an object of at most 50 labels/],
    [["team"], /"labels" must be an object of at most 50 labels/],
    [null, /"labels" must be an object of at most 50 labels/],
  ];
  for (const [refused, sentence] of cases) {
    const answer = await service.call("PATCH", `/v1/pods/${pod.id}`, { labels: refused });
    assert.equal(answer.status, 400, JSON.stringify(refused));
    assert.match(answer.json.error, sentence);
  }
});

test("the command line sets labels with --label, lists by them and shows them", async (t) => {
  const service = await simulatedService(t);
  const env = { FREEHOLD_URL: service.origin, FREEHOLD_KEY: service.key };
  const run = async (...words: string[]) => {
    const ended = await freehold(words, { env });
    assert.equal(ended.code, 0, ended.stderr);
    return ended.stdout;
  };
  const flags = ["--image-name", "i", "--compute-type", "CPU", "--label", "team=a"];
  const id = (await run("pods", "create", ...flags, "--label", "run=x,y", "-q")).trim();
  assert.match(await run("pods", "--label", "team=a", "--label", "run=x,y"), /team=a, run=x,y/);
  assert.equal(await run("pods", "--label", "team=b", "-q"), "");
  await run("pods", "update", id, "--label", "team=b");
  assert.equal((await run("pods", "--label", "team=b", "-q")).trim(), id);
});
