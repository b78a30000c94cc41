// Tests of the sentences for what Kubernetes says about a Pod that does not start.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndCause } from "../../domain/container/end-cause.ts";
import { DriverUnavailable, StartRefused } from "../driver.ts";
import { EngineFailed } from "../engine-failed.ts";
import { redactorOf } from "../redaction.ts";
import { ApiError } from "./client/api-error.ts";
import { REJECTED } from "./pod/pod-view.ts";
import { unschedulableReason } from "./site/unschedulable.ts";
import { deletionErrorOf, StartProgress, startErrorOf } from "./start-failure.ts";

const affinity = "2 node(s) didn't match Pod's node affinity/selector";
const preemption =
  "preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.";

test("the scheduler's words say what the Pod's node lacks", () => {
  const table: [message: string, reason: string | null][] = [
    [`1 Insufficient nvidia.com/gpu, ${affinity}`, "it has too few free GPUs"],
    [`1 Insufficient amd.com/gpu, ${affinity}`, "it has too few free GPUs"],
    [
      `1 Insufficient cpu, 1 Insufficient memory, ${affinity}`,
      "it has too few free CPUs, and it has too little free memory",
    ],
    [`1 Insufficient ephemeral-storage, ${affinity}`, "it has too little free disk"],
    [
      `1 node(s) had untolerated taint {dedicated: team-a}, ${affinity}`,
      "it has the taint dedicated",
    ],
    [`1 node(s) had untolerated taint {dedicated}, ${affinity}`, "it has the taint dedicated"],
    [`1 node(s) had untolerated taint(s), ${affinity}`, "it has a taint"],
    [`1 node(s) were unschedulable, ${affinity}`, "it is cordoned"],
    [`1 Too many pods, ${affinity}`, "it runs as many Pods as Kubernetes allows"],
    [
      `1 node(s) had volume node affinity conflict, ${affinity}`,
      "its zone or node has not the Pod's volume",
    ],
    [affinity, null],
    [`1 node(s) something new, ${affinity}`, null],
  ];
  for (const [cause, reason] of table) {
    const message = `0/3 nodes are available: ${cause}. ${preemption}`;
    assert.equal(unschedulableReason(message), reason, cause);
  }
});

test("what the API server refuses has an error of its kind", () => {
  const of = (status: number, message: string) =>
    startErrorOf(new ApiError(status, "", message), redactorOf(["s3cret"])) as Error;
  const quota =
    'pods "fh-1" is forbidden: exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1';
  const full = of(403, quota);
  assert.ok(full instanceof StartRefused && full.why === "no_room");
  assert.equal(
    full.message,
    "The quota of its namespace in Kubernetes is used up: team, requested: pods=1, used: pods=1, limited: pods=1",
  );
  const denied = of(
    403,
    'admission webhook "policy.example.com" denied the request: no s3cret here',
  );
  assert.ok(denied instanceof StartRefused && denied.why === "cluster_policy");
  assert.match(denied.message, /policy\.example\.com refuses the Pod: no \S+ here$/);
  assert.ok(!denied.message.includes("s3cret"));
  assert.ok(of(422, "spec is invalid") instanceof StartRefused);
  const causes: [status: number, message: string, why: EndCause | null][] = [
    [403, `secrets is forbidden: User "u" cannot create resource "secrets"`, "cluster_permission"],
    [
      403,
      `pods "fh-1" is forbidden: violates PodSecurity "restricted:latest": unrestricted capabilities`,
      "cluster_policy",
    ],
    [
      403,
      `pods "fh-1" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi`,
      "cluster_policy",
    ],
    [
      422,
      `pods "fh-1" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`,
      "cluster_policy",
    ],
    [
      500,
      `Internal error occurred: failed calling webhook "w": no endpoints available for service "w"`,
      "cluster_trouble",
    ],
    [403, "unable to create new content because it is being terminated", "cluster_trouble"],
    [422, `Pod "fh-1" is invalid: spec.containers[0].image: Required value`, null],
  ];
  for (const [status, message, why] of causes) {
    const error = of(status, message);
    assert.ok(error instanceof StartRefused && error.why === why, message);
    assert.match(error.message, /^Kubernetes refuses the Pod: /);
    assert.ok(error.message.endsWith(message));
  }
  const typo = of(403, 'pods "fh-1" is forbidden: no PriorityClass with name spto was found');
  assert.ok(typo instanceof StartRefused);
  assert.match(typo.message, /no PriorityClass with name spto was found$/);
  for (const status of [401, 429, 503, 504])
    assert.ok(of(status, "later") instanceof DriverUnavailable);
  const other = new Error("other");
  assert.equal(startErrorOf(other, redactorOf([])), other);
});

test("a container that a runtime fails to create is tried again, unless its image is at fault", () => {
  const runc = "failed to create shim task: OCI runtime create failed";
  const table: [message: string, why: EndCause | null, isFinal: boolean][] = [
    [`${runc}: exec: "/no": stat /no: no such file or directory`, "entrypoint_not_found", true],
    [`${runc}: exec: "/etc": permission denied`, "entrypoint_not_executable", true],
    ["crun: executable file `no` not found in $PATH", "entrypoint_not_found", true],
    [`${runc}: unable to find user app: no matching entries in passwd file`, null, true],
    ["context deadline exceeded", null, false],
    ['failed to reserve container name "a_b": name "a_b" is reserved for "0123"', null, false],
    [
      "open /run/containerd/io.containerd.runtime.v2.task/x: no such file or directory",
      null,
      false,
    ],
    ["dial unix /run/containerd/containerd.sock: connect: permission denied", null, false],
    [`${runc}: open exec fifo /run/x/exec.fifo: no such file or directory`, null, false],
  ];
  const workload = { id: "w", image: "acme/llm:1", entrypoint: [], command: [], env: {} };
  for (const [message, why, isFinal] of table) {
    const progress = new StartProgress(workload, () => {});
    const failure = progress.failureOf({ reason: "CreateContainerError", message });
    assert.ok(failure instanceof StartRefused && failure.why === why, message);
    assert.equal(!(failure instanceof EngineFailed), isFinal, message);
  }
});

test("what a Pod waits for is a failure of its kind", () => {
  const digest = "sha256:4040d1eba401f2403ddf8a8bb2b0d6f1f5ab20de3f2f4f0e3b0b50d4c1a2e404";
  const image = `registry.example.org:404/denied/app@${digest}`;
  const pull = (words: string) => `failed to pull and unpack image "${image}": ${words}`;
  const table: [reason: string, message: string, why: EndCause | null][] = [
    [
      "ErrImagePull",
      pull(`failed to resolve reference "${image}": ${image}: not found`),
      "image_not_found",
    ],
    [
      "ErrImagePull",
      pull(`unexpected status code [manifests ${digest}]: 404 Not Found`),
      "image_not_found",
    ],
    [
      "ErrImagePull",
      pull(
        `failed to do request: Head "https://registry.example.org:404/v2/denied/app/manifests/${digest}": dial tcp 192.0.2.7:404: connect: connection refused`,
      ),
      "registry_away",
    ],
    ["ErrImagePull", pull("dial tcp: lookup forbidden.example.org: no such host"), "registry_away"],
    ["ImagePullBackOff", `Back-off pulling image "${image}"`, "registry_away"],
    [
      "ErrImagePull",
      pull(
        "unexpected status from HEAD request to https://registry.example.org/v2/x/manifests/404: 403 Forbidden",
      ),
      "image_unauthorised",
    ],
    ["ErrImagePull", pull("pull access denied, repository does not exist"), "image_unauthorised"],
    ["ErrImagePull", pull("no match for platform in manifest: not found"), "image_not_found"],
    [
      "CreateContainerConfigError",
      "container has runAsNonRoot and image will run as root",
      "cluster_policy",
    ],
    [
      "Unschedulable",
      "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
      "cluster_trouble",
    ],
    [
      "Unschedulable",
      "0/2 nodes are available: 1 node(s) didn't find available persistent volumes to bind.",
      "cluster_trouble",
    ],
    [REJECTED, "OutOfcpu: Pod was rejected: Node didn't have enough resource: cpu", "no_room"],
    [REJECTED, "UnexpectedAdmissionError: Pod was rejected: Allocate failed", "cluster_trouble"],
  ];
  for (const [reason, message, why] of table) {
    const workload = { id: "w", image, entrypoint: [], command: [], env: {} };
    const failure = new StartProgress(workload, () => {}).failureOf({ reason, message });
    assert.ok(failure instanceof StartRefused, message);
    assert.equal(failure.why, why, message);
  }
});

test("a Pod that may not be deleted has the API server's words", () => {
  const message = 'pods "fh-1" is forbidden: User "u" cannot delete resource "pods"';
  const error = deletionErrorOf(new ApiError(403, "Forbidden", message));
  assert.ok(error instanceof StartRefused && error.why === "cluster_permission");
  assert.equal(error.message, `Kubernetes does not delete the Pod: ${message}`);
});
