// What happened to a Pod, over REST: each move with who asked for it, each sight of its container, and
// whose key it was only for who may know.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeHouse, podsOf, until } from "./stage.ts";

interface EventJson {
  id: string;
  event: string;
  from?: string;
  to?: string;
  actor: string;
  message: string;
  keyName?: string;
  memberEmail?: string;
}

test("a Pod's events are its story: who asked for what, and what was seen", async (t) => {
  const house = await fakeHouse(t);
  const { json: pod } = await house.call("POST", "/v1/pods", { driver: "fake", imageName: "i" });
  const path = `/v1/pods/${pod.id}/events`;
  const events = async (query = "") => (await house.call("GET", path + query)).json as EventJson[];
  await until(podsOf(house).reached, pod.id);
  await house.call("POST", `/v1/pods/${pod.id}/stop`);
  const told = await until(async () => {
    const found = await events();
    return found[0]?.event === "container_gone" ? found.reverse() : null;
  }, pod.id);
  assert.deepEqual(
    told.map(({ event, from, to, actor }) => [event, from, to, actor]),
    [
      ["created", undefined, "RUNNING", "key"],
      ["container_starting", "none", "starting", "machine"],
      ["container_running", "starting", "running", "machine"],
      ["stopped", "RUNNING", "EXITED", "key"],
      ["container_gone", "running", "none", "machine"],
    ],
  );
  assert.match(told[1]!.message, /of the image i$/);
  const page = await events(`?limit=2&before=${told[3]!.id}`);
  assert.deepEqual(
    page.map(({ event }) => event),
    ["container_running", "container_starting"],
  );
  const refused = await house.call("GET", `${path}?before=x`);
  assert.deepEqual([refused.status, refused.json.code], [400, "invalid_query"]);
});

test("who asked is told to who may read the audit log", async (t) => {
  const house = await fakeHouse(t);
  const member = async (email: string, role: string) => {
    const { json } = await house.call("POST", "/v1/invitations", { email, role });
    const accept = { token: json.token, name: role };
    return (await house.call("POST", "/v1/invitations/accept", accept)).json.key as string;
  };
  const [dev, admin] = [
    await member("d@example.org", "dev"),
    await member("a@example.org", "admin"),
  ];
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const body = { driver: "fake", imageName: "i" };
  const { json: pod } = await house.call("POST", "/v1/pods", body, as(dev));
  const made = async (key: string) => {
    const { json } = await house.call("GET", `/v1/pods/${pod.id}/events`, undefined, as(key));
    return (json as EventJson[]).at(-1)!;
  };
  const plain = await made(dev);
  assert.deepEqual(
    [plain.actor, plain.memberEmail, plain.keyName],
    ["member", undefined, undefined],
  );
  assert.partialDeepStrictEqual(await made(admin), {
    actor: "member",
    memberEmail: "d@example.org",
  });
});
