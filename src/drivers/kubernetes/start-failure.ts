// Why a Pod that Kubernetes keeps waiting will not start soon, as an error of the driver.

import { DriverUnavailable, StartRefused, type StartReporter, type Workload } from "../driver.ts";
import { type Redact, redactorOf } from "../redaction.ts";
import { ApiError } from "./client/api-error.ts";
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
  if (reason === "Unschedulable" && /persistentvolumeclaim/i.test(message)) {
    return new Error(`The storage class has not provided the Pod's volume: ${message}`);
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
  return null;
}

function pullFailure(image: string, message: string): Error {
  if (/not found|manifest unknown|404/i.test(message)) {
    return new StartRefused(`The image ${image} does not exist.`, "image_not_found", message);
  }
  if (/unauthorized|denied|forbidden|401|403/i.test(message)) {
    const text = `The image ${image} may not be pulled.`;
    return new StartRefused(text, "image_unauthorised", message);
  }
  if (/no match for platform|exec format/i.test(message)) {
    const text = `The image ${image} is not built for this machine's CPU architecture.`;
    return new StartRefused(text, "image_unusable", message);
  }
  const text = `The registry of ${image} does not answer.`;
  return new StartRefused(text, "registry_away", message);
}

function containerFailure(message: string): Error {
  const [, program = ""] = /exec:? \\?"([^"\\]{1,80})/.exec(message) ?? [];
  if (/not found|no such file/i.test(message)) {
    const text = `The program ${JSON.stringify(program)} is not in the image.`;
    return new StartRefused(text, "entrypoint_not_found", message);
  }
  if (/permission denied|exec format error/i.test(message)) {
    const text = `The program ${JSON.stringify(program)} cannot be executed.`;
    return new StartRefused(text, "entrypoint_not_executable", message);
  }
  return new StartRefused("The container cannot be created.", null, message);
}

const QUOTA = /exceeded quota: (.*)/s;
const WEBHOOK = /admission webhook "([^"]{1,253})" denied the request:? ?(.*)/s;

/** A missing permission, or a namespace that someone deletes. Other refusals are about the Pod: its PriorityClass, its security. */
const MAY_PASS = /User "[^"]*" cannot |because it is being terminated/;

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
    return new StartRefused(`The cluster's admission webhook ${webhook} refuses the Pod: ${words}`);
  }
  const text = `Kubernetes refuses the Pod: ${message}`;
  const mayPass = error.status === 401 || MAY_PASS.test(message);
  if ([400, 403, 422].includes(error.status) && !mayPass) return new StartRefused(text);
  if (mayPass || error.status === 429 || error.status >= 500) return new DriverUnavailable(text);
  return new Error(text);
}
