// Files of a real engine's volume over S3: what S3 writes a Pod reads, and the reverse, while the Pod swaps
// a folder and a link in a loop.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { jsClient } from "../s3/fixture.ts";
import { startContainerService } from "./container-service.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const SCRIPT = `cat /workspace/in/file > /workspace/out; ln -s /etc /workspace/away
  mkdir /workspace/real; echo inside > /workspace/real/passwd
  while true; do
    mv -T /workspace/real /workspace/swap; mv -T /workspace/away /workspace/real
    mv -T /workspace/real /workspace/away; mv -T /workspace/swap /workspace/real
  done`;

test("a Pod and S3 share the files of a volume, and no swap of a link leads out of it", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const wanted = { name: "data", size: 1, dataCenterId: "EU-RO-1" };
  const { json: volume } = await service.call("POST", "/v1/networkvolumes", wanted);
  const { json: s3Key } = await service.call("POST", "/v1/s3-keys", { name: "test" });
  const s3 = { s3Url: service.s3Origin!, s3Key, bucket: volume.id };
  const js = await jsClient(t, s3);
  if (!js) return;
  // The volume is created by the first write, and mounted later.
  await js.send("PutObject", { Key: "in/file", Body: "from S3" });
  const pod = await service.call("POST", "/v1/pods", {
    computeType: "CPU",
    vcpuCount: 2,
    containerDiskInGb: 1,
    networkVolumeId: volume.id,
    imageName: service.shellImage,
    dockerEntrypoint: ["bash", "-c"],
    dockerStartCmd: [SCRIPT],
  });
  assert.ok(pod.json.id, pod.text);
  const read = async (Key: string) =>
    js.send("GetObject", { Key }).then(
      ({ Body }) => Body.transformToString() as Promise<string>,
      () => null,
    );
  assert.equal(await until(() => read("real/passwd"), ""), "inside\n");
  assert.equal(await read("out"), "from S3");
  let found = 0;
  for (let n = 0; n < 40; n++) {
    for (const Key of ["real/passwd", "away/passwd", "swap/passwd"]) {
      const text = await read(Key);
      if (text === null) continue;
      assert.equal(text, "inside\n", "nothing outside the volume comes out");
      found++;
    }
    assert.ok((await js.keys()).every((key) => !key.startsWith("away/")));
  }
  assert.ok(found > 0);
});
