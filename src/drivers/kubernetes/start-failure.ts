// Why a Pod that Kubernetes keeps waiting will not start soon, as an error of the driver.

import type { EndCause } from "../../domain/container/end-cause.ts";
import { DriverUnavailable, StartRefused, type StartReporter, type Workload } from "../driver.ts";
import { EngineFailed } from "../engine-failed.ts";
import { type Redact, redactorOf } from "../redaction.ts";
import { ApiError } from "./client/api-error.ts";
import { REJECTED } from "./pod/pod-view.ts";
import { unschedulableReason } from "./site/unschedulable.ts";

interface Waiting {
  reason: string;
  message: string;
}

/** Reports what a start waits for, each reason once. */
export class StartProgress {
  readonly #image: string;
  readonly #redact: Redact;
  readonly #report: StartReporter;
  #reported = "";

  constructor({ image, secrets = [] }: Workload, report: StartReporter) {
    this.#image = image;
    this.#redact = redactorOf(secrets);
    this.#report = report;
  }

  /** Null if it may start without anything being done. */
  failureOf(waiting: Waiting | null): Error | null {
    if (waiting === null) return null;
    const message = this.#redact(waiting.message);
    if (waiting.reason !== this.#reported) this.#report(`${waiting.reason}: ${message}`.trim());
    this.#reported = waiting.reason;
    return startFailure(this.#image, { ...waiting, message });
  }
}

/** Null if it may start without anything being done. */
function startFailure(image: string, { reason, message }: Waiting): Error | null {
  if (reason === "Unschedulable" && /persistent ?volume/i.test(message)) {
    const text = `The storage class has not provided the Pod's volume: ${message}`;
    return new StartRefused(text, "cluster_trouble", message);
  }
  if (reason === "Unschedulable") {
    const lack = unschedulableReason(message) ?? message;
    const text = `Kubernetes cannot place the Pod on its node: ${lack}`;
    return new StartRefused(text, "no_room", message);
  }
  if (reason === "InvalidImageName") {
    return new StartRefused(`${image} is not a valid image name.`, "image_unusable", message);
  }
  if (reason === "ErrImageNeverPull") {
    return new StartRefused(`The image ${image} is not on the node.`, "image_not_found", message);
  }
  if (reason === "ErrImagePull" || reason === "ImagePullBackOff")
    return pullFailure(image, message);
  if (reason === "CreateContainerError" || reason === "RunContainerError") {
    return containerFailure(message);
  }
  // Other causes of it, such as a Secret that the kubelet has not read yet, pass.
  if (reason === "CreateContainerConfigError" && /runAsNonRoot|non-root/i.test(message)) {
    return new StartRefused(`The cluster refuses the image: ${message}`, "cluster_policy");
  }
  if (reason === REJECTED) return rejection(message);
  return null;
}

/** A kubelet that has no room for a Pod which the scheduler has placed on its node rejects it as `OutOfcpu` or the like. */
function rejection(message: string): Error {
  const text = `The kubelet of its node rejects the Pod: ${message}`;
  return new StartRefused(text, /^OutOf/.test(message) ? "no_room" : "cluster_trouble", message);
}

function pullFailure(image: string, message: string): Error {
  const words = withoutNames(image, message);
  if (/not found|manifest unknown|\b404\b/i.test(words)) {
    return new StartRefused(`The image ${image} does not exist.`, "image_not_found", message);
  }
  if (/unauthorized|denied|forbidden|\b40[13]\b/i.test(words)) {
    const text = `The image ${image} may not be pulled.`;
    return new StartRefused(text, "image_unauthorised", message);
  }
  if (/no match for platform|exec format/i.test(words)) {
    const text = `The image ${image} is not built for this machine's CPU architecture.`;
    return new StartRefused(text, "image_unusable", message);
  }
  const text = `The registry of ${image} does not answer.`;
  return new StartRefused(text, "registry_away", message);
}

/** A digest, a tag, a port or the name of a host may look like a status or a refusal. */
function withoutNames(image: string, message: string): string {
  return message
    .replaceAll(image, "")
    .replace(/"[^"]*"|https?:\/\/\S+|\S*sha256:\S+/g, "")
    .replace(/\S+[./@:]\S+/g, "");
}

function containerFailure(message: string): Error {
  const [, program = ""] = /exec:? \\?"([^"\\]{1,80})/.exec(message) ?? [];
  if (/unable to find (?:user|group)|no matching entries in (?:passwd|group)/i.test(message)) {
    return new StartRefused("The image does not have the user that it names.", null, message);
  }
  // Only for a program: a container runtime that restarts misses files of its own.
  const isOfProgram = /\bexec(?:uting|utable)?\b(?![ .]fifo)/i.test(message);
  if (isOfProgram && /not found|no such file/i.test(message)) {
    const text = `The program ${JSON.stringify(program)} is not in the image.`;
    return new StartRefused(text, "entrypoint_not_found", message);
  }
  if (isOfProgram && /permission denied|exec format error/i.test(message)) {
    const text = `The program ${JSON.stringify(program)} cannot be executed.`;
    return new StartRefused(text, "entrypoint_not_executable", message);
  }
  return new EngineFailed(`The container cannot be created: ${message}`, null, message);
}

const QUOTA = /exceeded quota: (.*)/s;
const WEBHOOK = /admission webhook "([^"]{1,253})" denied the request:? ?(.*)/s;

const MISSING_RIGHT = /User "[^"]*" cannot /;
/** A namespace that is being deleted; its successor takes the Pod. */
const TERMINATING = /because it is being terminated/;
/** The API server asks for another try soon, and machines of a cluster that stays so are offline. */
const UNAVAILABLE = new Set([401, 429, 503, 504]);

/** The error for a Pod that the API server does not accept. An invalid Pod can never start. */
export function startErrorOf(error: unknown, redact: Redact): unknown {
  if (!(error instanceof ApiError)) return error;
  const message = redact(error.message);
  const [, quota] = QUOTA.exec(message) ?? [];
  if (quota !== undefined) {
    const text = `The quota of its namespace in Kubernetes is used up: ${quota}`;
    return new StartRefused(text, "no_room", message);
  }
  const [, webhook, words] = WEBHOOK.exec(message) ?? [];
  if (webhook !== undefined) {
    const text = `The cluster's admission webhook ${webhook} refuses the Pod: ${words}`;
    return new StartRefused(text, "cluster_policy");
  }
  const text = `Kubernetes refuses the Pod: ${message}`;
  if (UNAVAILABLE.has(error.status)) return new DriverUnavailable(text);
  return new StartRefused(text, causeOf(error.status, message));
}

/** The error for a Pod that the API server does not delete. */
export function deletionErrorOf(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const text = `Kubernetes does not delete the Pod: ${error.message}`;
  if (UNAVAILABLE.has(error.status)) return new DriverUnavailable(text);
  return new StartRefused(text, causeOf(error.status, error.message));
}

function causeOf(status: number, message: string): EndCause | null {
  if (MISSING_RIGHT.test(message)) return "cluster_permission";
  if (TERMINATING.test(message)) return "cluster_trouble";
  if (status === 403 || /ValidatingAdmissionPolicy/.test(message)) return "cluster_policy";
  return status === 400 || status === 422 ? null : "cluster_trouble";
}
