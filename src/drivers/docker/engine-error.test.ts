// Tests of the causes read from engines' messages, and of image names and pull progress.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineFailed } from "../engine-failed.ts";
import { pullError, startError } from "./engine-error.ts";
import { fullImageName, isImageName, serverAddressOf } from "./image/image-name.ts";
import { PullProgress } from "./image/pull-progress.ts";

const asItIs = (text: string) => text;

const pulls = [
  [
    "manifest for 127.0.0.1:5000/a:1 not found: manifest unknown: manifest unknown",
    "image_not_found",
  ],
  [
    "pull access denied for acme/llm, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    "image_unauthorised",
  ],
  ['Head "https://r.test/v2/a/manifests/1": no basic auth credentials', "image_unauthorised"],
  ['Get "https://r.test/v2/": unauthorized: authentication required', "image_unauthorised"],
  [
    'Get "http://127.0.0.1:1/v2/": dial tcp 127.0.0.1:1: connect: connection refused',
    "registry_away",
  ],
  ['Get "https://r.test/v2/": dial tcp: lookup r.test: no such host', "registry_away"],
  ['Get "https://r.test/v2/": x509: certificate signed by unknown authority', "registry_away"],
  ["toomanyrequests: You have reached your pull rate limit", "registry_away"],
  ["write /var/lib/docker/tmp/x: no space left on device", "disk_full"],
  ["no matching manifest for linux/arm64/v8 in the manifest list entries", "image_unusable"],
] as const;

for (const [message, why] of pulls) {
  test(`a pull: ${message.slice(0, 60)} is ${why}`, () => {
    assert.equal(pullError("acme/llm:1", message, asItIs).why, why);
  });
}

test("a registry's port and an image's name do not affect the cause", () => {
  const image = "127.0.0.1:44031/denied-401:403";
  const missing = `manifest for ${image} not found: manifest unknown: manifest unknown`;
  assert.equal(pullError(image, missing, asItIs).why, "image_not_found");
  const refused =
    'Get "http://127.0.0.1:44031/v2/": dial tcp 127.0.0.1:44031: connect: connection refused';
  assert.equal(pullError(image, refused, asItIs).why, "registry_away");
});

const starts = [
  [
    'OCI runtime create failed: exec: "/no/such": stat /no/such: no such file or directory: unknown',
    "entrypoint_not_found",
  ],
  ['exec: "serve": executable file not found in $PATH: unknown', "entrypoint_not_found"],
  ['exec: "/etc": permission denied: unknown', "entrypoint_not_executable"],
  ["exec /run.sh: exec format error", "entrypoint_not_executable"],
  [
    "crun: executable file `serve` not found in $PATH: No such file or directory: OCI runtime attempted to invoke a command that was not found",
    "entrypoint_not_found",
  ],
  ["crun: open executable: Permission denied: OCI permission denied", "entrypoint_not_executable"],
  [
    "failed to update store for object type *libnetwork.endpoint: open : no such file or directory",
    null,
  ],
  [
    "OCI runtime start failed: cannot start: open exec fifo /run/x/exec.fifo: no such file or directory",
    null,
  ],
  ["setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=GPU-0", null],
  ["driver failed: Bind for 127.0.0.1:80 failed: port is already allocated", "port_taken"],
] as const;

for (const [message, why] of starts) {
  test(`a start: ${message.slice(0, 60)} is ${why}`, () => {
    assert.equal(startError("acme/llm:1", message, asItIs, 500).why, why);
  });
}

test("a start fails for good only where the engine refuses the workload", () => {
  const table: [status: number, message: string, isFinal: boolean][] = [
    [400, "invalid mount config", true],
    [500, "unable to find user app: no matching entries in passwd file", true],
    [500, 'exec: "serve": executable file not found in $PATH: unknown', true],
    [
      500,
      "failed to update store for object type *libnetwork.endpoint: open : no such file",
      false,
    ],
    [
      500,
      "connection error: desc = transport: dial unix containerd.sock: connection refused",
      false,
    ],
    [500, "ttrpc: closed: unknown", false],
    [404, "No such container: 0123", false],
    [409, 'Conflict. The container name "/freehold-m-w" is already in use', false],
  ];
  for (const [status, message, isFinal] of table) {
    const error = startError("acme/llm:1", message, asItIs, status);
    assert.equal(!(error instanceof EngineFailed), isFinal, message);
    assert.ok(error.message.includes(message.slice(0, 40)), "the tenant sees the words");
  }
});

test("a start that lacks a program names it", () => {
  const sentence = (message: string) => startError("acme/llm:1", message, asItIs, 500).message;
  const missing = 'exec: "/bin/sh": stat /bin/sh: no such file or directory: unknown';
  assert.match(
    sentence(missing),
    /^the image acme\/llm:1 does not contain the program "\/bin\/sh" \(/,
  );
  assert.match(sentence("crun: executable file `sh` not found in $PATH"), /the program "sh" \(/);
  assert.match(
    sentence("exec /run.sh: exec format error"),
    /^the program "\/run\.sh" in the image/,
  );
  assert.match(sentence("no command specified"), /names a program to start/);
});

test("a start on a GPU without a CDI name says how to write names by UUIDs, which a start uses", () => {
  const words = "unresolvable CDI devices nvidia.com/gpu=x";
  const { message } = startError("acme/llm:1", words, asItIs, 500);
  assert.match(message, /nvidia-ctk cdi generate --device-name-strategy=uuid --output=/);
});

test("image names are completed and validated", () => {
  assert.equal(fullImageName("acme/llm"), "acme/llm:latest");
  assert.equal(fullImageName("127.0.0.1:5000/llm"), "127.0.0.1:5000/llm:latest");
  assert.equal(fullImageName("acme/llm:2"), "acme/llm:2");
  assert.equal(fullImageName("acme/llm@sha256:00"), "acme/llm@sha256:00");
  assert.equal(serverAddressOf("ghcr.io/acme/llm"), "ghcr.io");
  assert.equal(serverAddressOf("acme/llm"), "https://index.docker.io/v1/");
  assert.deepEqual(["", "a b", "-a", "a?b"].filter(isImageName), []);
});

test("pull progress counts layers and bytes", () => {
  const progress = new PullProgress();
  const detail = (current: number) => ({ progressDetail: { current, total: 4_000_000 } });
  const lines = [
    { id: "a", status: "Already exists" },
    { id: "b", status: "Downloading", ...detail(1_000_000) },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  progress.add(text.slice(0, 30));
  progress.add(text.slice(30));
  assert.equal(progress.line(), "pulling: 1 of 2 layers, 1 of 4 MB");
});
