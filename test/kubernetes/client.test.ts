// The Kubernetes client on a real cluster: lists in pages, watches, refusals, and a restart of the API server.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { DriverUnavailable } from "../../src/drivers/driver.ts";
import { ApiClient } from "../../src/drivers/kubernetes/client/api-client.ts";
import { ApiError } from "../../src/drivers/kubernetes/client/api-error.ts";
import type { KubernetesObject } from "../../src/drivers/kubernetes/client/objects.ts";
import { WatchCache } from "../../src/drivers/kubernetes/client/watch-cache.ts";
import {
  ownCluster,
  sharedCluster,
  skipReason,
  type TestCluster,
} from "../fixtures/kubernetes/cluster.ts";
import { until } from "../fixtures/until.ts";

interface ConfigMap extends KubernetesObject {
  data?: Record<string, string>;
}

async function connect(t: TestContext, cluster: TestCluster): Promise<ApiClient> {
  const client = new ApiClient(await cluster.access(), systemClock);
  t.after(() => client.close());
  return client;
}

async function namespaceIn(t: TestContext, client: ApiClient, name: string): Promise<string> {
  await client.create("/api/v1/namespaces", { metadata: { name } });
  t.after(() => client.delete(`/api/v1/namespaces/${name}`).catch(() => {}));
  return `/api/v1/namespaces/${name}/configmaps`;
}

function watchLabelled(t: TestContext, client: ApiClient, label: string) {
  const cache = new WatchCache({
    client,
    clock: systemClock,
    path: "/api/v1/configmaps",
    labelSelector: label,
    select: ({ data = {} }: ConfigMap) => data.value,
  });
  t.after(() => cache.close());
  return cache;
}

const configMap = (name: string, value: string, label: string) => {
  const [key, labelValue] = label.split("=") as [string, string];
  return { metadata: { name, labels: { [key]: labelValue } }, data: { value } };
};

suite("the Kubernetes client", { skip: skipReason }, () => {
  test("a watch sees what others create, change and delete", async (t) => {
    const client = await connect(t, await sharedCluster());
    const maps = await namespaceIn(t, client, "client-watch");
    const label = "freehold-test=watch";
    await client.create(maps, configMap("before", "1", label));
    await client.create(maps, configMap("other", "1", "freehold-test=other"));
    const cache = watchLabelled(t, client, label);
    await cache.synced();
    assert.deepEqual(cache.values(), ["1"]);
    await client.create(maps, configMap("after", "2", label));
    await client.patch(`${maps}/before`, { data: { value: "3" } });
    await until(() => cache.values().sort().join() === "2,3");
    await client.delete(`${maps}/after`);
    await until(() => cache.values().join() === "3");
  });

  test("a list of several pages is complete", async (t) => {
    const client = await connect(t, await sharedCluster());
    const maps = await namespaceIn(t, client, "client-pages");
    const label = "freehold-test=pages";
    const numbers = Array.from({ length: 520 }, (_, n) => String(n));
    for (let from = 0; from < numbers.length; from += 40) {
      const some = numbers.slice(from, from + 40);
      await Promise.all(some.map((n) => client.create(maps, configMap(`m${n}`, n, label))));
    }
    const cache = watchLabelled(t, client, label);
    await cache.synced();
    assert.deepEqual(new Set(cache.values()), new Set(numbers));
  });

  test("a refusal carries the API server's reason and message", async (t) => {
    const client = await connect(t, await sharedCluster());
    const maps = await namespaceIn(t, client, "client-refusal");
    const body = configMap("one", "1", "freehold-test=refusal");
    await client.create(maps, body);
    await assert.rejects(
      client.create(maps, body),
      (error) =>
        error instanceof ApiError && error.status === 409 && error.reason === "AlreadyExists",
    );
  });

  test("a foreign certificate and a server that is down have different messages", async (t) => {
    const access = await (await sharedCluster()).access();
    const ask = (changes: object) => {
      const client = new ApiClient({ ...access, ...changes }, systemClock);
      t.after(() => client.close());
      return client.get("/version");
    };
    const fails = (request: Promise<unknown>, message: RegExp) =>
      assert.rejects(
        request,
        (error) => error instanceof DriverUnavailable && message.test(error.message),
      );
    await fails(ask({ ca: null }), /is not signed by the kubeconfig's authority/);
    await fails(ask({ serverName: "elsewhere.example" }), /is for another name/);
    await fails(ask({ server: "https://127.0.0.1:1" }), /does not respond: ECONNREFUSED/);
    await assert.rejects(
      ask({ certificate: null, token: "wrong" }),
      (error) => error instanceof ApiError && error.status === 401,
    );
  });

  test("a watch continues after a restart of the API server and misses nothing", async (t) => {
    const cluster = await ownCluster(t);
    const client = await connect(t, cluster);
    const maps = await namespaceIn(t, client, "client-restart");
    const label = "freehold-test=restart";
    await client.create(maps, configMap("one", "1", label));
    const cache = watchLabelled(t, client, label);
    await cache.synced();
    await cluster.node("control", "stop", "kube-apiserver");
    await until(() => {
      try {
        cache.requireCurrent();
        return false;
      } catch {
        return true;
      }
    });
    assert.deepEqual(cache.values(), ["1"], "the copy stays readable");
    await cluster.node("control", "start", "kube-apiserver");
    await until(() =>
      client.create(maps, configMap("two", "2", label)).then(
        () => true,
        () => false,
      ),
    );
    await until(() => cache.size === 2);
    await until(() => cache.requireCurrent() === undefined);
  });
});
