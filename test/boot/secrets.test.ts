// Tests that the service logs no key, no key in a query parameter, and no value of a worker's
// environment, at any log level.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

const root = path.join(import.meta.dirname, "..", "..");

test("the log contains no secret at its most verbose level", async (t) => {
  const data = mkdtempSync(path.join(tmpdir(), "freehold-secrets-"));
  const apiKey = "fh_given0123456789abcdefghijklmnopqrstuvwx";
  const child = spawn(process.execPath, [path.join(root, "bin", "freehold.mjs"), "up"], {
    cwd: data,
    env: {
      ...process.env,
      FREEHOLD_LISTEN: "127.0.0.1:0",
      FREEHOLD_API_KEY: apiKey,
      FREEHOLD_LOG_LEVEL: "trace",
    },
  });
  t.after(() => {
    child.kill("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  });
  let screen = "";
  let log = "";
  child.stderr.on("data", (text) => {
    log += text;
  });
  const origin = await new Promise<string>((resolve) => {
    child.stdout.on("data", (text) => {
      screen += text;
      const found = /REST\s+(http:\/\/[\d.:]+)/.exec(screen);
      if (found && screen.includes("clients:")) resolve(found[1]!);
    });
  });
  const call = (address: string, init: RequestInit = {}) =>
    fetch(origin + address, {
      ...init,
      headers: { authorization: apiKey, "content-type": "application/json", ...init.headers },
    });
  const input = JSON.stringify({ input: { name: "you" } });
  const done = await call("/v2/hello/runsync", { method: "POST", body: input });
  assert.equal(((await done.json()) as { status: string }).status, "COMPLETED");
  await call(`/v2/hello/nothing?api_key=${apiKey}`);
  await call("/v2/hello/run", { method: "POST", body: "{" });
  await call("/v2/hello/run", { headers: { authorization: "fh_wrong_key_that_is_a_secret_too" } });
  const ofMember = await usePasswords(call);
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));

  assert.ok(log.length > 0, "there is a log to look at");
  const cliKey = readFileSync(path.join(data, ".freehold", "cli.key"), "utf8").trim();
  const secretKey = readFileSync(path.join(data, ".freehold", "secret.key"), "utf8").trim();
  for (const secret of [apiKey, cliKey, secretKey, "fh_wrong_key", "fhw_", ...ofMember]) {
    assert.ok(!log.includes(secret), `the log holds ${secret.slice(0, 6)}...`);
  }
});

/** Everything that a member types or is shown once, right and wrong. */
async function usePasswords(
  call: (address: string, init?: RequestInit) => Promise<Response>,
): Promise<string[]> {
  const ask = async (method: string, address: string, body: object, key?: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: key };
    const answer = await call(address, { method, body: JSON.stringify(body), headers });
    return (await answer.json()) as Record<string, string> & { member: { id: string } };
  };
  const email = "ada@example.org";
  const [password, wrong] = ["a password of ada", "a wrong password of ada"];
  const { token } = await ask("POST", "/v1/invitations", { email, role: "dev" });
  const joined = await ask("POST", "/v1/invitations/accept", { token, password });
  const path = `/v1/members/${joined.member.id}/password-reset`;
  await ask("POST", "/v1/session", { email, password: wrong, code: "my code 918273" }, "");
  await ask("PUT", "/v1/members/me/password", { password: [wrong] }, joined.key);
  const { secret } = await ask("POST", "/v1/members/me/totp", {}, joined.key);
  await ask("PUT", "/v1/members/me/totp", { code: "my code 918273" }, joined.key);
  const { url } = await ask("POST", path, {});
  const reset = url!.split("#token=")[1]!;
  await ask("POST", "/v1/password-reset", { token: reset, password }, "");
  const { role } = await ask("POST", "/v1/session", { email, password }, "");
  assert.equal(role, "dev");
  return [password, wrong, token!, joined.key!, secret!, "my code 918273", reset];
}
