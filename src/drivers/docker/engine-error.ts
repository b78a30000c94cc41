// The cause of an engine's failure to pull an image or start a container, read from its message,
// because engines have hardly any error codes. Pure.

import type { EndCause } from "../../domain/container/end-cause.ts";
import { StartRefused } from "../driver.ts";
import { EngineFailed } from "../engine-failed.ts";
import type { Redact } from "../redaction.ts";

/** `program` is what a start tried to run. */
type Pattern = [RegExp, EndCause | null, (image: string, program: string) => string];

const pullPatterns: Pattern[] = [
  [
    /no space left|disk quota/i,
    "disk_full",
    (image) => `the disk is full, so the image ${image} cannot be pulled`,
  ],
  [
    /x509|certificate|\btls:|TLS handshake|gave HTTP response/i,
    "registry_away",
    (image) => `no valid TLS connection to the registry of the image ${image} is possible`,
  ],
  [
    /too ?many ?requests|rate limit|\b429\b/i,
    "registry_away",
    (image) => `the registry of the image ${image} accepts no more pulls for now`,
  ],
  [
    /no matching manifest|does not match the (?:specified )?platform/i,
    "image_unusable",
    (image) => `the image ${image} is not built for this machine's CPU architecture`,
  ],
  [
    /invalid reference format|repository name must|invalid (?:image|tag)/i,
    "image_unusable",
    (image) => `${JSON.stringify(image)} is not a valid image name`,
  ],
  [
    /pull access denied|may require 'docker login'/i,
    "image_unauthorised",
    (image) =>
      `the registry does not allow a pull of the image ${image} with these credentials, or has no such image`,
  ],
  [
    /unauthorized|no basic auth|authentication required|denied|forbidden|incorrect username|\b40[13]\b/i,
    "image_unauthorised",
    (image) => `the registry does not allow a pull of the image ${image} with these credentials`,
  ],
  [
    /manifest unknown|not found|no such image|name unknown|\b404\b/i,
    "image_not_found",
    (image) => `the image ${image} does not exist`,
  ],
  [
    /dial tcp|no such host|refused|timeout|timed out|deadline exceeded|EOF|reset by peer|unreachable|misbehaving|\b50\d\b/i,
    "registry_away",
    (image) => `the registry of the image ${image} cannot be reached`,
  ],
];

/**
 * Only the kind of the failure is for its tenant: a registry chooses where the engine is led, so the engine's
 * words may hold an answer from the operator's network.
 */
export function pullError(image: string, message: string, redact: Redact): StartRefused {
  const { sentence, cause } = read(pullPatterns, image, message);
  const kind = sentence ?? `the image ${image} cannot be pulled`;
  return new StartRefused(kind, cause, excerpt(message, redact));
}

const startPatterns: Pattern[] = [
  [
    // Only for the program: an engine that is being stopped reports missing files of its own.
    /\bexec(?:: "| \/).*no such file or directory|executable file.*not found|not found in \$PATH/is,
    "entrypoint_not_found",
    (image, program) => `the image ${image} does not contain ${program}`,
  ],
  [
    /(?:\bexec(?:: "| \/)|executable).*(?:permission denied|is a directory|not a regular file)|exec format error/is,
    "entrypoint_not_executable",
    (image, program) => `${program} in the image ${image} cannot be executed`,
  ],
  [
    /no command specified/i,
    "entrypoint_not_found",
    (image) => `neither the image ${image} nor the template names a program to start`,
  ],
  [
    /unable to find (?:user|group)|no matching entries in (?:passwd|group)/i,
    null,
    (image) => `the image ${image} does not have the user that it names`,
  ],
  [
    /unresolvable CDI devices?.*amd\.com/is,
    null,
    () =>
      "its GPU is in no CDI specification of this machine any more; run amd-ctk cdi generate there",
  ],
  [
    /unresolvable CDI devices?/i,
    null,
    () =>
      "its GPU is in no CDI specification of this machine by its UUID; run " +
      "nvidia-ctk cdi generate --device-name-strategy=uuid --output=/etc/cdi/nvidia.yaml there",
  ],
  [
    /\/dev\/(?:kfd|dri\/renderD\d+)/,
    null,
    () => "this machine has no device node of its GPU; load its driver amdgpu",
  ],
  [
    // Docker's words, and those of Podman and its runtimes.
    /bind source path does not exist.*\/nvidia-mps|\/nvidia-mps\b.*no such file or directory/is,
    null,
    () =>
      "no MPS daemon runs on this machine, or its pipes are not in /tmp/nvidia-mps; start nvidia-cuda-mps-control -d there",
  ],
  [
    /could not select device driver|nvidia/i,
    null,
    () => "this machine's container engine cannot attach GPUs",
  ],
  [
    /port is already allocated|address already in use/i,
    "port_taken",
    () => "a port that it needs is in use on this machine",
  ],
  [/no space left|disk quota/i, "disk_full", () => "the disk is full"],
  [
    /bind source path does not exist/i,
    null,
    () =>
      "the model cache is not on the engine's host; if Freehold runs in a container, its data folder needs the same path on the host",
  ],
];

/** `status` is that of the engine's answer: with `BAD_REQUEST`, or words that are known, it refuses the workload. */
export function startError(
  image: string,
  message: string,
  redact: Redact,
  status: number | null,
): StartRefused {
  const program = programIn(redact(message));
  const failure = read(startPatterns, image, message, program);
  const { sentence = "the engine cannot start it", cause } = failure;
  const words = excerpt(message, redact);
  const isRefusal = failure.sentence !== undefined || status === BAD_REQUEST;
  const Kind = isRefusal ? StartRefused : EngineFailed;
  return new Kind(`${sentence} (the engine says: ${words})`, cause, words);
}

const BAD_REQUEST = 400;

/** Null for another failure to create a network. */
export function networkError(message: string): StartRefused | null {
  if (!/address pool|subnetted|free (?:private )?(?:network )?subnet/i.test(message)) return null;
  const sentence = "this machine's container engine has no address range left for another network";
  return new StartRefused(
    sentence,
    "no_address_range",
    excerpt(message, (text) => text),
  );
}

/** For example: the program "/bin/sh". */
function programIn(message: string): string {
  const [, ...names] =
    /\bexec: "([^"]+)"|executable file `([^`]+)`|\bexec (\/[^\s:]+):/.exec(message) ?? [];
  const name = names.find((each) => each !== undefined);
  return name === undefined ? "the program to start" : `the program "${name.slice(0, 100)}"`;
}

function read(patterns: Pattern[], image: string, message: string, program = "") {
  const text = withoutNames(message, image);
  const [, cause = null, sentence] = patterns.find(([pattern]) => pattern.test(text)) ?? [];
  return { cause, sentence: sentence?.(image, program) };
}

/** Redacts before it cuts, so that no part of a secret remains. */
const excerpt = (message: string, redact: Redact) =>
  redact(message).replace(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, 400);

/** Removes names, because a registry's port may look like a status and an image may have any name. */
function withoutNames(message: string, image: string): string {
  const repository = image.replace(/(?:@.*|:[^:/]*)$/, "");
  return message
    .replace(/https?:\/\/[^\s"]+/g, "")
    .replaceAll(image, "")
    .replaceAll(repository, "");
}
