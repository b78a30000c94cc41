// A log stream of REST v2 resumes after a restart of the service where it ended: no line of a container that
// prints meanwhile is lost or repeated.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { readEvents } from "../fixtures/event-stream.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { startContainerService } from "./container-service.ts";

const env = { FREEHOLD_MACHINE: JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 }) };
const COUNT = 'n=0; while :; do n=$((n + 1)); echo "line $n"; sleep 0.05; done';

test("Last-Event-ID continues a container's log after a restart", {
  skip: skipReason,
}, async (t) => {
  const first = await startContainerService(t, { env });
  const { json: pod } = await first.call("POST", "/v2/pods", {
    name: "counter",
    cpu: { id: "cpu3c", vcpuCount: 2 },
    image: first.shellImage,
    entrypoint: ["bash", "-c"],
    cmd: [COUNT],
    disk: 1,
  });
  await until(podsOf(first).reached, pod.id);
  const follow = (service: TestService, headers = {}) =>
    readEvents(`${service.origin}/v2/pods/${pod.id}/logs?source=container&tail=5000`, {
      authorization: `Bearer ${service.key}`,
      ...headers,
    });
  const reader = await follow(first);
  const before = await reader.until(({ data }) => data.line === "line 20");
  reader.close();
  await first.stop();
  const { dataFolder, host } = first;
  const second = await startContainerService(t, { env, dataFolder, host });
  const rest = await follow(second, { "last-event-id": before.at(-1)!.id! });
  const after = await rest.until(({ data }) => data.line === "line 60");
  rest.close();
  const numbers = [...before, ...after].map(({ data }) => Number(data.line.split(" ")[1]));
  assert.deepEqual(
    numbers,
    Array.from({ length: 60 }, (_, n) => n + 1),
  );
});
