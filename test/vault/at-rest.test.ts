// Tests that no secret is stored in plain text: not in the store's files, the data folder, the most
// verbose log, or any response.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { until } from "../fixtures/until.ts";

const root = path.join(import.meta.dirname, "..", "..");
const API_KEY = "fh_given0123456789abcdefghijklmnopqrstuvwx";
const PASSWORD = "a-password-of-a-registry";
const USER = "a-user-of-a-registry";
const VALUE = "the-value-of-a-secret";
const OF_MEMBER = "the-password-of-a-member";
const TOKEN = "tk_the-token-of-a-channel";

test("no file and no log contains passwords or secrets", async (t) => {
  const { data, call, stop } = await startService(t);
  const auth = { name: "hub", username: USER, password: PASSWORD };
  const { id: containerRegistryAuthId } = await call("POST", "/v1/containerregistryauth", auth);
  const secret = await call("POST", "/v1/secrets", { name: "s", value: VALUE });
  await call("POST", "/v1/containerregistryauth", { ...auth, name: "", password: [PASSWORD] });
  await call("POST", "/v1/secrets", { name: "t", value: { VALUE } });
  const env = { A: "{{ RUNPOD_SECRET_s }}" };
  const pod = {
    driver: "simulated",
    imageName: "i",
    computeType: "CPU",
    env,
    containerRegistryAuthId,
  };
  const { id } = await call("POST", "/v1/pods", pod);
  await until(async () => (await call("GET", `/v1/pods/${id}`)).publicIp, id);
  const failing = { ...pod, dockerStartCmd: ["simulate", "--no-such-trait"] };
  const { id: broken } = await call("POST", "/v1/pods", failing);
  const exited = async () => (await call("GET", `/v1/pods/${broken}`)).desiredStatus === "EXITED";
  await until(async () => (await exited()) || null, broken);
  await call("GET", `/v1/why/${broken}`);
  await call("PATCH", `/v1/secrets/${secret.id}`, { value: `${VALUE}, changed` });
  await call("GET", "/v1/secrets");
  await sendOverChannels(call);
  await setPassword(call);
  const output = await stop();

  assert.ok(output.length > 0);
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const held = files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name)));
  assert.ok(files.some(({ name }) => name === "freehold.db"));
  for (const each of [PASSWORD, USER, VALUE, TOKEN, OF_MEMBER]) {
    assert.ok(!output.includes(each), `${each} was told`);
    for (const [n, bytes] of held.entries()) {
      assert.ok(!bytes.includes(each), `${each} is in ${files[n]!.name}`);
    }
  }
});

async function setPassword(call: Awaited<ReturnType<typeof startService>>["call"]) {
  const email = "ada@example.org";
  const { token } = await call("POST", "/v1/invitations", { email, role: "dev" });
  await call("POST", "/v1/invitations/accept", { token, password: OF_MEMBER });
  const { role } = await call("POST", "/v1/session", { email, password: OF_MEMBER });
  assert.equal(role, "dev");
}

/** Over channels that nothing listens to, so that every try fails. */
async function sendOverChannels(call: Awaited<ReturnType<typeof startService>>["call"]) {
  const url = "http://127.0.0.1:9";
  for (const channel of [
    { type: "ntfy", topic: "a", url, token: TOKEN },
    { type: "slack", webhookUrl: `${url}/${TOKEN}` },
    { type: "slack", webhookUrl: `ftp://${TOKEN}` },
  ]) {
    const rule = { name: "On call", events: ["pod_ended"], channel };
    const { id } = await call("POST", "/v1/notification-rules", rule);
    if (id) await call("POST", `/v1/notification-rules/${id}/test`);
  }
  await call("GET", "/v1/notifications");
}

/** A separate process; `stop` returns its logs and responses. */
async function startService(t: TestContext) {
  const data = mkdtempSync(path.join(tmpdir(), "freehold-at-rest-"));
  const child = spawn(process.execPath, [path.join(root, "bin", "freehold.mjs"), "up"], {
    cwd: data,
    env: {
      ...process.env,
      FREEHOLD_LISTEN: "127.0.0.1:0",
      FREEHOLD_DRIVERS: "simulated",
      FREEHOLD_MACHINE: '{"vcpus": 16, "memoryInGb": 64, "diskInGb": 500}',
      FREEHOLD_API_KEY: API_KEY,
      FREEHOLD_LOG_LEVEL: "trace",
    },
  });
  t.after(() => {
    child.kill("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  });
  let output = "";
  child.stderr.on("data", (text) => {
    output += text;
  });
  const origin = await new Promise<string>((resolve) => {
    let screen = "";
    child.stdout.on("data", (text) => {
      output += text;
      screen += text;
      const found = /REST\s+(http:\/\/[\d.:]+)/.exec(screen);
      if (found && screen.includes("clients:")) resolve(found[1]!);
    });
  });
  return {
    data,
    async call(method: string, address: string, body?: object) {
      const answer = await fetch(origin + address, {
        method,
        headers: { authorization: `Bearer ${API_KEY}` },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      output += text;
      return text === "" ? null : JSON.parse(text);
    },
    async stop() {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
      return output;
    },
  };
}
