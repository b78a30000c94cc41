// What an engine says when it cannot pull an image or start a container, read into what is the matter.
// Engines have codes for hardly any of it, so their words are all there is. Pure.

import type { EndCause } from "../../domain/worker/end-cause.ts";
import { StartRefused } from "../driver.ts";

type Reading = [RegExp, EndCause | null, (image: string) => string];

const pulling: Reading[] = [
  [
    /no space left|disk quota/i,
    "disk_full",
    (image) => `the disk is full, so that the image ${image} cannot be pulled`,
  ],
  [
    /no matching manifest|does not match the (?:specified )?platform/i,
    "image_unusable",
    (image) => `the image ${image} is not made for this machine's kind of processor`,
  ],
  [
    /invalid reference format|repository name must|invalid (?:image|tag)/i,
    "image_unusable",
    (image) => `${JSON.stringify(image)} is no name of an image`,
  ],
  [
    /pull access denied|may require 'docker login'/i,
    "image_unauthorised",
    (image) =>
      `the registry lets nobody pull the image ${image} with these credentials, or has no such image`,
  ],
  [
    /unauthorized|no basic auth|authentication required|denied|forbidden|incorrect username|\b40[13]\b/i,
    "image_unauthorised",
    (image) => `the registry lets nobody pull the image ${image} with these credentials`,
  ],
  [
    /manifest unknown|not found|no such image|name unknown|\b404\b/i,
    "image_not_found",
    (image) => `there is no image ${image}`,
  ],
  [
    /dial tcp|no such host|refused|timeout|timed out|deadline exceeded|EOF|reset by peer|unreachable|x509|tls|gave HTTP response|misbehaving|too ?many ?requests|\b50\d\b/i,
    "registry_away",
    (image) => `the registry of the image ${image} cannot be reached`,
  ],
];

export function pullRefused(image: string, words: string): StartRefused {
  return read(pulling, image, words, `the image ${image} cannot be pulled`);
}

const beginning: Reading[] = [
  [
    // Only of the program: an engine that is being stopped misses files of its own.
    /\bexec(?:: "| \/).*no such file or directory|executable file.*not found|not found in \$PATH/is,
    "entrypoint_not_found",
    (image) => `the image ${image} has no such program as it is told to start`,
  ],
  [
    /(?:\bexec(?:: "| \/)|executable).*(?:permission denied|is a directory|not a regular file)|exec format error/is,
    "entrypoint_not_executable",
    (image) => `the program that the image ${image} is told to start cannot be executed`,
  ],
  [
    /no command specified/i,
    "entrypoint_not_found",
    (image) => `neither the image ${image} nor the template says which program to start`,
  ],
  [
    /could not select device driver|nvidia/i,
    null,
    () => "this machine's container engine cannot hand out GPUs",
  ],
  [
    /port is already allocated|address already in use/i,
    "port_taken",
    () => "a port that it is to have is taken on this machine",
  ],
  [/no space left|disk quota/i, "disk_full", () => "the disk is full"],
];

export function startRefused(image: string, words: string): StartRefused {
  return read(beginning, image, words, "the engine does not start it");
}

function read(readings: Reading[], image: string, words: string, otherwise: string): StartRefused {
  const told = withoutNames(words, image);
  const [, why = null, sentence] = readings.find(([pattern]) => pattern.test(told)) ?? [];
  const said = words.replace(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, 400);
  const what = sentence?.(image) ?? otherwise;
  return new StartRefused(`${what} (the engine says: ${said})`, why);
}

/** A registry's port may look like a status, and an image may be called anything. */
function withoutNames(words: string, image: string): string {
  const repository = image.replace(/(?:@.*|:[^:/]*)$/, "");
  return words
    .replace(/https?:\/\/[^\s"]+/g, "")
    .replaceAll(image, "")
    .replaceAll(repository, "");
}
