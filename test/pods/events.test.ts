// The events of a Pod, over REST: each transition with its actor, each observation of its container,
// and the key only for readers of the audit log.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

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

test("a Pod's events list its transitions with their actors, and the observations", async (t) => {
  const service = await simulatedService(t);
  const { json: pod } = await service.call("POST", "/v1/pods", {
    driver: "simulated",
    imageName: "i",
  });
  const path = `/v1/pods/${pod.id}/events`;
  const events = async (query = "") =>
    (await service.call("GET", path + query)).json as EventJson[];
  await until(podsOf(service).reached, pod.id);
  await service.call("POST", `/v1/pods/${pod.id}/stop`);
  const history = await until(async () => {
    const found = await events();
    return found[0]?.event === "container_gone" ? found.reverse() : null;
  }, pod.id);
  assert.deepEqual(
    history.map(({ event, from, to, actor }) => [event, from, to, actor]),
    [
      ["created", undefined, "RUNNING", "key"],
      ["container_starting", "none", "starting", "machine"],
      ["container_running", "starting", "running", "machine"],
      ["stopped", "RUNNING", "EXITED", "key"],
      ["container_gone", "running", "none", "machine"],
    ],
  );
  assert.match(history[1]!.message, /of the image i$/);
  const page = await events(`?limit=2&before=${history[3]!.id}`);
  assert.deepEqual(
    page.map(({ event }) => event),
    ["container_running", "container_starting"],
  );
  const refused = await service.call("GET", `${path}?before=x`);
  assert.deepEqual([refused.status, refused.json.code], [400, "invalid_query"]);
});

test("the actor's identity is shown only to readers of the audit log", async (t) => {
  const service = await simulatedService(t);
  const member = async (email: string, role: string) => {
    const { json } = await service.call("POST", "/v1/invitations", { email, role });
    const accept = { token: json.token, name: role };
    return (await service.call("POST", "/v1/invitations/accept", accept)).json.key as string;
  };
  const [dev, admin] = [
    await member("d@example.org", "dev"),
    await member("a@example.org", "admin"),
  ];
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const body = { driver: "simulated", imageName: "i" };
  const { json: pod } = await service.call("POST", "/v1/pods", body, as(dev));
  const readCreation = async (key: string) => {
    const { json } = await service.call("GET", `/v1/pods/${pod.id}/events`, undefined, as(key));
    return (json as EventJson[]).at(-1)!;
  };
  const plain = await readCreation(dev);
  assert.deepEqual(
    [plain.actor, plain.memberEmail, plain.keyName],
    ["member", undefined, undefined],
  );
  assert.partialDeepStrictEqual(await readCreation(admin), {
    actor: "member",
    memberEmail: "d@example.org",
  });
});
