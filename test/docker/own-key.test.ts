// A test of a Pod in a container that stops itself with the key in its environment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { startContainerService } from "./container-service.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const small = { computeType: "CPU", vcpuCount: 2, volumeInGb: 0, containerDiskInGb: 1 };

const STOP = `
address=\${RUNPOD_API_BASE_URL#http://}
exec 3<>/dev/tcp/\${address%:*}/\${address##*:}
printf 'POST /v1/pods/%s/stop HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer %s\\r\\nConnection: close\\r\\n\\r\\n' \\
  "$RUNPOD_POD_ID" "$RUNPOD_API_KEY" >&3
cat <&3
sleep 1000`;

test("a Pod stops itself", { skip: skipReason }, async (t) => {
  const service = await startContainerService(t, options);
  const start = { dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [STOP] };
  const pod = { ...small, imageName: service.shellImage, ...start };
  const { json, text } = await service.call("POST", "/v1/pods", pod);
  assert.ok(json.id, text);
  const exited = await until(podsOf(service).exited, json.id);
  assert.match(exited.lastStatusChange, /^Exited by user: /);
  await until(async () => service.containers().length === 0 || null, json.id);
});
