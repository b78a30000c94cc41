// The cold start of a worker on a real engine: its image pulled from a registry, or there already.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { coldStartOf } from "../workers/cold-start.ts";
import { startContainerService } from "./container-service.ts";
import { CREDENTIALS, pushPrivate, startRegistry } from "./registry.ts";

/** A worker's first call, without a library. */
const PING = `url=\${RUNPOD_WEBHOOK_PING#http://} host=\${RUNPOD_WEBHOOK_PING#http://}
host=\${host%%/*}
exec 3<>/dev/tcp/\${host%:*}/\${host##*:}
printf 'GET /%s HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: %s\\r\\n\\r\\n' "\${url#*/}" "$RUNPOD_AI_API_KEY" >&3
exec sleep 600`;

suite("cold starts of containers", { skip: skipReason }, () => {
  test("the first worker pulls its image, and the next one finds it", async (t) => {
    const service = await startContainerService(t);
    const image = pushPrivate(t, service, (await startRegistry(t)).closed);
    const registry = await service.call("POST", "/v1/containerregistryauth", {
      name: "own",
      ...CREDENTIALS,
    });
    const endpoint = await service.makeEndpoint({
      template: {
        imageName: image,
        containerRegistryAuthId: registry.json.id,
        dockerStartCmd: ["bash", "-c", PING],
      },
      spec: { workersMin: 1, workersMax: 2 },
    });
    // The first call of a quick program can be recorded before the start of its container is.
    const isComplete = ({ readyAt, coldStart }: { readyAt?: string; coldStart: object[] }) =>
      readyAt !== undefined && coldStart.length === 4;
    const ready = (count: number) =>
      until(async () => {
        const { json } = await service.call("GET", `/v1/endpoints/${endpoint}/workers`);
        const workers = json.filter(isComplete);
        return workers.length === count ? workers : null;
      });
    const [first] = await ready(1);
    const names = coldStartOf(first).map(({ part }) => part);
    assert.deepEqual(names, ["scheduling", "image_pull", "container", "program"]);
    await service.call("PATCH", `/v1/endpoints/${endpoint}`, { workersMin: 2 });
    const second = (await ready(2)).find(({ id }: { id: string }) => id !== first.id);
    const next = coldStartOf(second).map(({ part }) => part);
    assert.deepEqual(next, ["scheduling", "image_check", "container", "program"]);
  });
});
