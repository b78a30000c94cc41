import assert from "node:assert/strict";
import { test } from "node:test";
import { secretsIn, withSecrets } from "./secret.ts";

test("references are replaced wherever they occur, and other text is unchanged", () => {
  const env = {
    A: "{{ RUNPOD_SECRET_one }}",
    B: "postgres://u:{{RUNPOD_SECRET_two.x/y-z}}@h/{{ RUNPOD_SECRET_one  }}",
    C: "{{ RUNPOD_SECRETS_one }} {{ secret }} {RUNPOD_SECRET_one}",
    D: "",
  };
  assert.deepEqual(secretsIn(env), ["one", "two.x/y-z"]);
  const values = new Map([
    ["one", "$& {{ RUNPOD_SECRET_two.x/y-z }}"],
    ["two.x/y-z", "2"],
  ]);
  assert.deepEqual(withSecrets(env, values), {
    ...env,
    A: "$& {{ RUNPOD_SECRET_two.x/y-z }}",
    B: "postgres://u:2@h/$& {{ RUNPOD_SECRET_two.x/y-z }}",
  });
});

test("a reference with an invalid secret name is still a reference", () => {
  assert.deepEqual(secretsIn({ A: "{{ RUNPOD_SECRET_a b }}", B: "{{ RUNPOD_SECRET_ }}" }), [
    "a b",
    "",
  ]);
});
