// A Pod in a container that stops itself with its own key, as nobody told it more than its variables.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { podsOf, until } from "../pods/stage.ts";
import { startContainerHouse } from "./container-house.ts";

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

test("a Pod stops itself", { skip: missing }, async (t) => {
  const house = await startContainerHouse(t, options);
  const start = { dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [STOP] };
  const pod = { ...small, imageName: house.shellImage, ...start };
  const { json, text } = await house.call("POST", "/v1/pods", pod);
  assert.ok(json.id, text);
  const exited = await until(podsOf(house).exited, json.id);
  assert.match(exited.lastStatusChange, /^Exited by user: /);
  await until(async () => house.containers().length === 0 || null, json.id);
});
