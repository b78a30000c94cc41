// `freehold deploy <source>`: builds an image if there is something to build, and releases it on an
// endpoint.

import { UsageError } from "../../../base/refusal.ts";
import { sizeText } from "../../../domain/model/loading.ts";
import type { RunningService } from "../../client/running-service.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { buildImage } from "../../deploy/build.ts";
import { type BuildContext, readContext } from "../../deploy/context.ts";
import { type Released, release } from "../../deploy/release.ts";
import { type DeploySource, readSource } from "../../deploy/source.ts";
import { printJson, write } from "../../output/answer.ts";
import { withProgress } from "../../output/progress.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";
import { findItem } from "../../resources/find-item.ts";
import { resources } from "../../resources/resource-table.ts";

interface Values extends CommonValues {
  name?: string;
  push?: string;
  engine: string;
  platform?: string;
  env?: string[];
  gpu?: string[];
  gpuCount?: string;
  workersMin?: string;
  workersMax?: string;
  disk?: string;
  registry?: string;
}

interface Built {
  image: string;
  /** Absent for an image that was there. */
  context?: BuildContext;
}

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export const { usage, run } = defineCommand("deploy", (program) => {
  program
    .argument("<source>", "an image, a folder with a Dockerfile, or a handler such as handler.py")
    .optionsGroup("Endpoint:")
    .option("--name <name>", "the endpoint's name (default: that of the source)")
    .option("--env <name=value>", "a variable (repeatable)", collect)
    .option("--gpu <type>", "a GPU type, the preferred one first (repeatable)", collect)
    .option("--gpu-count <number>", "GPUs per worker; without any GPU option, workers run on CPUs")
    .option("--workers-min <number>", "the minimum number of workers")
    .option("--workers-max <number>", "the maximum number of workers")
    .option("--disk <gb>", "the container disk of each worker")
    .option("--registry <auth>", "the registry credential that workers pull with, an id or a name")
    .optionsGroup("Build:")
    .option("--push <repository>", "push the image there, such as ghcr.io/me/shop")
    .option("--platform <platform>", "the platform of the image, such as linux/amd64")
    .option("--engine <program>", "the program that builds, docker or podman", "docker");
  addCommonOptions(program).action(deploy);
  addExamples(
    program,
    "freehold deploy handler.py --env MODEL=small",
    'freehold deploy ghcr.io/me/shop:3 --gpu "NVIDIA A40" --workers-max 3',
    'freehold deploy runpod/worker-v1-vllm:v2.14.0 --env MODEL_NAME=Qwen/Qwen3-0.6B --gpu "NVIDIA L4"',
    "freehold deploy ./shop --push ghcr.io/me/shop --registry ghcr",
  );
});

async function deploy(word: string, values: Values): Promise<void> {
  const { source, name: usualName } = readSource(word, process.cwd());
  const name = values.name ?? usualName;
  const desired = {
    name,
    env: assignments(values.env ?? []),
    gpuTypeIds: values.gpu,
    gpuCount: numberIn("--gpu-count", values.gpuCount),
    workersMin: numberIn("--workers-min", values.workersMin),
    workersMax: numberIn("--workers-max", values.workersMax),
    containerDiskInGb: numberIn("--disk", values.disk),
  };
  const service = await serviceFor(values);
  const containerRegistryAuthId = values.registry
    ? (await findItem(service, resources.registries!, values.registry)).id
    : undefined;
  const built = "image" in source ? source : await build(source, name, service, values);
  const { image } = built;
  const released = await release(service, { ...desired, image, containerRegistryAuthId });
  report(released, built, service, values);
}

async function build(
  source: Exclude<DeploySource, { image: string }>,
  name: string,
  service: RunningService,
  values: Values,
): Promise<Built> {
  const { push = null, engine, platform = null } = values;
  const { hostname } = new URL(service.origin);
  if (!push && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) {
    throw new UsageError(
      `machines of ${service.origin} cannot reach the image on this one; push it: --push ghcr.io/me/${name}`,
    );
  }
  const context = readContext(source.folder, source.dockerfile !== null);
  const image = await withProgress(`building ${name}`, values, (say) => {
    const request = { ...source, files: context.files, name, push, engine, platform };
    const last = (text: string) => text.trim().split("\n").at(-1)?.slice(0, 60) ?? "";
    return buildImage({ ...request, report: (text) => say(`building ${name}: ${last(text)}`) });
  });
  return { image, context };
}

function report(
  { endpoint, change }: Released,
  { image, context }: Built,
  service: RunningService,
  values: Values,
): void {
  const { id, name, version } = endpoint;
  if (values.json) printJson({ change, image, endpoint, ...(context && contextView(context)) });
  else if (values.quiet) write(`${id}\n`);
  else {
    const lines = [
      `${change}  ${name} (${id}), release ${version}`,
      `image     ${image}`,
      ...(context ? contextLines(context) : []),
      `address   ${service.origin}/v2/${id}/run`,
      ...(servesModel(values) ? [`OpenAI    ${service.origin}/v2/${id}/openai/v1`] : []),
      ...(change === "unchanged" ? [] : [`try it    freehold run ${name} '{}'`]),
    ];
    write(lines.map((line) => `${line}\n`).join(""));
  }
}

/** Images that serve a language model take its name from this variable, and answer OpenAI's clients. */
const servesModel = ({ env = [] }: Values) => env.some((each) => each.startsWith("MODEL_NAME="));

const contextView = ({ files, ...context }: BuildContext) => ({
  context: { ...context, fileCount: files.length },
});

/** The size of what went to the engine, which is often a surprise, and what it is made of. */
function contextLines({ files, bytes, largest, leftOut }: BuildContext): string[] {
  const parts = largest.map(({ name, bytes }) => `${name} ${sizeText(bytes)}`);
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return [
    `context   ${sizeText(bytes)} in ${count}: ${parts.join(", ")}`,
    ...(leftOut.length > 0 ? [`left out  ${leftOut.join(", ")}`] : []),
  ];
}

function assignments(texts: string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw new UsageError(`--env is "${text}"; it takes NAME=VALUE`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function numberIn(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${option} is "${text}"; it takes a number`);
}
