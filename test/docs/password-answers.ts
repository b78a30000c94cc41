// The answers of operations on passwords and one-time codes.

import assert from "node:assert/strict";
import { type TOTP, URI } from "otpauth";
import type { Operation } from "../../src/contract/operation.ts";
import { passwordOperations as passwords } from "../../src/contract/rest-v1/password/password.ts";
import { totpOperations } from "../../src/contract/rest-v1/password/totp.ts";
import type { TestService } from "../fixtures/service/service.ts";

export async function askOfPasswords(
  service: TestService,
  key: string,
  memberId: string,
): Promise<void> {
  const ask = async (
    { method, path, answer: { status } }: Operation,
    body?: object,
    as: Record<string, string> = { authorization: `Bearer ${key}` },
  ) => {
    const place = path.replace("{memberId}", memberId);
    const answer = await service.call(method, place, body, as);
    assert.equal(answer.status, status, answer.text);
    return answer.json;
  };
  const password = "correct horse battery";
  await ask(passwords.setPassword, { password });
  const { uri } = await ask(totpOperations.beginTotp);
  await ask(totpOperations.confirmTotp, { code: (URI.parse(uri) as TOTP).generate() });
  await ask(totpOperations.removeTotp, { password });
  const link = await ask(passwords.createPasswordReset, {}, {});
  const token = link.url.split("#token=")[1];
  await ask(passwords.usePasswordReset, { token, password }, { authorization: "" });
  await ask(passwords.removePassword);
}
