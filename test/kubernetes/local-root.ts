// Workers and Pods of a cluster under `--tls local`: they trust the root, and the Pods of an account share its Secret.

import assert from "node:assert/strict";
import type { TestCluster } from "../fixtures/kubernetes/cluster.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { createPod, objectsOf, untilSays } from "./rig.ts";

const FETCH = `
const { RUNPOD_POD_ID: id, REACH: url } = process.env;
const says = await fetch(url + "/healthz").then(({ status }) => status, () => "a refusal");
console.log(id + " got " + says);
setInterval(() => {}, 1000);`;

export async function localRootStory(
  service: TestService,
  cluster: TestCluster,
  url: string,
): Promise<void> {
  const create = (env: object) =>
    createPod(service, {
      dockerEntrypoint: ["node"],
      dockerStartCmd: ["--input-type=module", "-e", FETCH],
      env: { REACH: url, ...env },
    });
  const first = await create({});
  await untilSays(service, first, `${first} got 200`);
  const { namespace } = objectsOf(cluster, first)[0]!.metadata;
  // A variable that the Pod sets itself is kept.
  const other = await create({ NODE_EXTRA_CA_CERTS: "/none" });
  await untilSays(service, other, `${other} got a refusal`);
  const secrets = cluster.kubectl("get", "secrets", "-n", namespace!, "-o", "name").split("\n");
  assert.equal(secrets.filter((name) => /freehold-files-/.test(name)).length, 1, `${secrets}`);
  for (const id of [first, other]) await service.call("DELETE", `/v1/pods/${id}`);
  await until(() => objectsOf(cluster, first).length + objectsOf(cluster, other).length === 0);
}
