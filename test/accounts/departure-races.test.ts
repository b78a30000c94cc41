// Tests of what a member creates in the moment in which it is removed: keys that open something end with the member, and take
// no room from those of others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newSshKey } from "../fixtures/service/ssh-key.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

/** Together they create more keys than an account may have at a time. */
const ROUNDS = 4;

const ways: Record<string, () => [method: string, path: string, body: object]> = {
  "an SSH key": () => ["POST", "/v1/ssh-keys", { publicKey: newSshKey().publicKey }],
  "a list of SSH keys": () => ["PUT", "/v2/account/ssh-keys", { keys: [newSshKey().publicKey] }],
  "an S3 key": () => ["POST", "/v1/s3-keys", { name: "own" }],
  "an API key": () => ["POST", "/v1/keys", { name: "own" }],
};

for (const [name, way] of Object.entries(ways)) {
  test(`a member that is removed while it creates ${name} leaves none`, async (t) => {
    const service = await simulatedService(t);
    const idsAt = async (path: string) =>
      (await service.call("GET", path)).json.map(({ id }: { id: string }) => id);
    const open = async () => [
      ...(await idsAt("/v1/ssh-keys")),
      ...(await idsAt("/v1/s3-keys")),
      ...(await idsAt("/v1/keys")),
    ];
    const before = await open();
    for (let round = 0; round < ROUNDS; round++) {
      const leaver = await join(service, "dev", "Leaver", `leaver${round}@example.org`);
      const creations = Array.from({ length: 8 }, () => leaver.call(...way()));
      const removal = service.call("DELETE", `/v1/members/${leaver.member.id}`);
      const later = Array.from({ length: 8 }, () => leaver.call(...way()));
      assert.equal((await removal).status, 204);
      for (const { status, text } of await Promise.all([...creations, ...later])) {
        assert.ok([200, 201, 204, 401].includes(status), `${status} ${text}`);
      }
      assert.deepEqual(await open(), before);
    }
  });
}
