// Keys and fingerprints as ssh-keygen made and showed them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readPublicKey } from "./public-key.ts";

const ed25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE6nA99ipUfHEGM4XEMOexbFfG2yUoAsdc8BJoz2T+oK";
const rsa =
  "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDv3tmZ7iUvKJ733chmmujfic7/PS5K8qOMDvWUVSLDyoskxmNLTKmN01VjBjaJTdmkUYJdlG6J1vThcSdePLcACVVo+esIGUGWxVr7d/DSaVonAggeJhue6iIu0IpcKshx2NNu9kFO58iwzgc82yJkclv4TAzmBfRAcpiJwxw0efRQiSeZxghzp1f/1BX/38nEmmT/YpMf2E+iW7+/W1oFItXAW4LbChRdt5TyfcQG9Mrg26kFxktMzQWNhMlXYly6baGDktADXrly65Xw/29MghTy4GwQLSi3PpiHFxC7NnVujyoP1ySGnLTQJ8z1Ba+uPlngSKAMOr7g8iPVY6ZR";
const p256 =
  "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBJZF4jbSHa8wedW1kuF4JlCM/xcKis+XAEM5UE1fNXWhw1ftETh9mpn7fzNR6BhZe//5P4LHIlQV1mg3aGsl9nE=";
const p384 =
  "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBNlfE2KIU1uxhR446jWboebxzkKcBAGqu1F7SgD7wn4GsqZ9z8aXWue+VtYi8cF+SfrD6FBT30e5uWgejySyNZD1UsjN0CpgrN4xG4OXiL09Xz3KOmcCz8PmFPBRpIxqSg==";
const p521 =
  "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAEGsX5JmAMt+M2AINGL4E/poSYA2a0inJuALQ21fLk894aDxPLfKDv2mFyH2CHzzYjEkCRWG6IbIKSZAM9RuAy8FAGHYa15EqCNE2sluNWidQyt9Z0ViO3BrF1h9d7SAqELRMawAWauLbHBwkV3nyf/B0gUrI0YEnNlQtZAi8Ls96DUIg==";

const known: [key: string, fingerprint: string][] = [
  [ed25519, "SHA256:hYJr6+7yy9zrL1ArFlYrwi8thv+PAwVo59Ltn94LMro"],
  [rsa, "SHA256:Ul7yFT3NiJOBd1UlyZVqx/RyqcKBcsZlnQdQIhRgafM"],
  [p256, "SHA256:5tY6sS8IpZy3m1iKVvQgIAFch7dkTtygz/DCC9DN9yg"],
  [p384, "SHA256:ItQm0++urJvUfj9YI9YW/uzh+d68dJsBslCMDw7NWyM"],
  [p521, "SHA256:a4MGJniGPDBv0FOfIfDKEFbJfc7Ao0ZYcI2VVzbiRKg"],
];

test("every kind of key is accepted, with the fingerprint that ssh-keygen shows", () => {
  for (const [key, fingerprint] of known) {
    assert.deepEqual(readPublicKey(key), { line: key, comment: "", fingerprint });
    const spaced = readPublicKey(`  ${key.replace(" ", "  ")} me@there  at home\n`);
    assert.deepEqual(spaced, {
      line: `${key} me@there at home`,
      comment: "me@there at home",
      fingerprint,
    });
  }
});

test("keys of hardware security keys are accepted", () => {
  const [, point] = /AAAAE2VjZHNh.{32}(.*)/.exec(p256) ?? [];
  assert.ok(point);
  const field = (bytes: Buffer | string) => {
    const content = Buffer.from(bytes);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, content]);
  };
  const kind = "sk-ssh-ed25519@openssh.com";
  const blob = Buffer.concat([field(kind), field(Buffer.alloc(32, 7)), field("ssh:")]);
  assert.equal(typeof readPublicKey(`${kind} ${blob.toString("base64")}`), "object");
  const half = Buffer.concat([field(kind), field(Buffer.alloc(32, 7))]);
  assert.match(String(readPublicKey(`${kind} ${half.toString("base64")}`)), /is no such key/);
});

const wrong: [text: string, sentence: RegExp][] = [
  ["", /must begin with one of ssh-ed25519/],
  ["hello", /must begin with one of/],
  ["ssh-dss AAAAB3NzaC1kc3M=", /must begin with one of/],
  [`no-pty ${ed25519}`, /must begin with one of/],
  ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn", /private key/],
  [`${ed25519}\n${rsa}`, /must be one line/],
  ["ssh-ed25519", /is no such key/],
  ["ssh-ed25519 %%%%", /is no such key/],
  [ed25519.slice(0, -8), /is no such key/],
  [`${ed25519}AAAA`, /is no such key/],
  [ed25519.replace("ssh-ed25519 ", "ssh-rsa "), /is no such key/],
  [p256.replace("p256 ", "p384 "), /is no such key/],
  [
    `ssh-rsa ${Buffer.concat([
      Buffer.from("000000077373682d727361", "hex"),
      Buffer.from("0000000103", "hex"),
      Buffer.from("00000080", "hex"),
      Buffer.alloc(128, 0x7f),
    ]).toString("base64")}`,
    /it has 1023 bits; an RSA key takes 2048 at least/,
  ],
];

for (const [text, sentence] of wrong) {
  test(`rejected: ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.match(String(readPublicKey(text)), sentence);
  });
}
