// SSH of a person whose sign-in ended: a setting decides whether SSH ends with it.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import ssh2 from "ssh2";
import { VirtualClock } from "../../src/base/clock.ts";
import { Fault } from "../../src/domain/fault.ts";
import { watchAccess } from "../../src/flows/access-watch.ts";
import { authorizeSsh, lastingSshAccess } from "../../src/flows/ssh/authorize.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { newSshKey } from "../fixtures/service/ssh-key.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { logoutToken, sendLogout, startLogoutScene } from "./logout-scene.ts";
import { askAs, statusOf } from "./scene.ts";

const POD = { imageName: "i", computeType: "CPU", driver: "simulated" };

const newIdentity = () => ssh2.utils.generateKeyPairSync("ed25519");

interface Opening {
  port: number;
  pod: string;
  key: string;
}

/** Null if the key is refused. */
function openSsh(t: TestContext, { port, pod, key }: Opening): Promise<{ isOpen: boolean } | null> {
  const client = new ssh2.Client();
  addCleanup(t, () => void client.end());
  const connection = { isOpen: true };
  client.on("close", () => {
    connection.isOpen = false;
  });
  return new Promise((resolve, reject) => {
    client.on("ready", () => resolve(connection));
    client.on("error", (error) =>
      error.level === "client-authentication" ? resolve(null) : reject(error),
    );
    client.connect({
      host: "127.0.0.1",
      port,
      username: pod,
      privateKey: key,
      readyTimeout: 600_000,
    });
  });
}

/** A person's key and the account's own, each with an open connection to one Pod. */
async function startSshScene(t: TestContext, oidc: object) {
  const scene = await startLogoutScene(t, oidc, { drivers: "simulated", replicas: null });
  const { service, idp, signIn } = scene;
  const { browser } = await signIn("u1");
  const [own, account] = [newIdentity(), newIdentity()];
  const added = await askAs(scene, browser, "POST", "/v1/ssh-keys", { publicKey: own.public });
  assert.equal(added.status, 200, await added.text());
  await service.call("POST", "/v1/ssh-keys", { publicKey: account.public });
  const pod = (await service.call("POST", "/v1/pods", POD)).json.id as string;
  const { port } = service.sshAddress!;
  const openWith = ({ private: key }: typeof own) => openSsh(t, { port, pod, key });
  const open = { own: () => openWith(own), account: () => openWith(account) };
  const logOut = async () => {
    assert.equal((await sendLogout(scene, logoutToken(idp))).status, 200);
    await until(async () => (await statusOf(scene, browser)) === 401);
  };
  return { scene, open, logOut };
}

test("with endSsh, SSH of a person ends with the last sign-in and waits for the next one", async (t) => {
  const { scene, open, logOut } = await startSshScene(t, { endSsh: true });
  const { browser } = await scene.signIn("u1");
  const [own, account] = [await open.own(), await open.account()];
  assert.ok(own && account);
  await logOut();
  await until(() => !own.isOpen);
  assert.equal(await statusOf(scene, browser), 401);
  assert.equal(await open.own(), null);
  assert.ok(account.isOpen && (await open.account()), "a key of the account itself goes on");
  assert.ok((await scene.signIn("u1")).self);
  assert.ok(await open.own());
});

test("without endSsh, SSH of a person goes on after the sign-in", async (t) => {
  const { open, logOut } = await startSshScene(t, {});
  const own = await open.own();
  await logOut();
  assert.ok(await open.own());
  assert.ok(own?.isOpen);
});

test("SSH ends with a disabled account, also if the store does not answer at first", async (t) => {
  const service = await simulatedService(t);
  const { store } = service.service;
  const { json: other } = await service.call("POST", "/v1/accounts", {
    name: "other",
    limited: false,
  });
  const asOther = { authorization: `Bearer ${other.key}` };
  const key = newSshKey();
  await service.call("POST", "/v1/ssh-keys", { publicKey: key.publicKey }, asOther);
  const pod = (await service.call("POST", "/v1/pods", POD, asOther)).json.id;
  const clock = new VirtualClock(0);
  const failed: string[] = [];
  let isAway = false;
  const flaky = {
    notifier: store.notifier,
    async read(...args: Parameters<Store["read"]>) {
      if (!isAway) return store.read(...args);
      failed.push("read");
      throw new Fault("store_unavailable");
    },
  } as unknown as Store;
  const deps = { store: flaky, clock, sshNeedsSignIn: false };
  const access = (await authorizeSsh(deps, pod, key.blob))!;
  const lost: string[] = [];
  addCleanup(
    t,
    watchAccess(clock, lastingSshAccess(deps, access, key.blob), () => void lost.push(pod)),
  );
  isAway = true;
  await service.call("PATCH", `/v1/accounts/${other.id}`, { disabled: true });
  await until(() => failed.length > 0 || null);
  assert.deepEqual(lost, [], "a store that does not answer takes no access");
  isAway = false;
  await until(async () => {
    await clock.advance(1_000);
    return lost.length > 0 || null;
  });
});
