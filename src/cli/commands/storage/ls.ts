// `freehold ls`: lists network volumes, or the files of one.

import { parseArgs } from "node:util";
import { exitCodes, Refusal, UsageError } from "../../../base/refusal.ts";
import { bytesText } from "../../../base/text/bytes-text.ts";
import type { RunningService } from "../../client/running-service.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { fetchVolumes, findVolume, readVolumePlace } from "../../files/location.ts";
import { asFolder, VolumeClient, type VolumeFile } from "../../files/volume-client.ts";
import { readOptions, serviceOptions, serviceUsage } from "../../options.ts";

export const usage = `  freehold ls                        your volumes
  freehold ls VOLUME[/PATH]          a folder of a volume, or a file

A volume is named by its id or its name.

  -r, --recursive   everything below the folder
  --json            the answer as JSON
${serviceUsage}`;

const options = {
  ...serviceOptions,
  recursive: { type: "boolean", short: "r", default: false },
  json: { type: "boolean", default: false },
} as const;

interface Choices {
  recursive: boolean;
  json: boolean;
}

export async function run(args: string[]): Promise<undefined> {
  const { values, positionals } = readOptions("ls", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const [place, ...more] = positionals;
  if (more.length > 0) throw new UsageError("ls takes one place: VOLUME or VOLUME/PATH");
  const service = await serviceFor(values);
  if (place === undefined) await listVolumes(service, values);
  else await listFiles(service, place, values);
  return undefined;
}

async function listVolumes(service: RunningService, { json }: Choices): Promise<void> {
  const volumes = await fetchVolumes(service);
  if (json) return write(volumes);
  const width = Math.max(0, ...volumes.map(({ name }) => name.length));
  for (const { id, name, size, dataCenterId } of volumes) {
    process.stdout.write(`${id}  ${name.padEnd(width)}  ${size} GB  ${dataCenterId}\n`);
  }
}

interface Entry {
  /** The path, with a slash at its end for a folder. */
  path: string;
  size?: number;
  modifiedAt?: string;
}

async function listFiles(service: RunningService, place: string, choices: Choices): Promise<void> {
  const { volume, path } = readVolumePlace(place);
  const { id } = await findVolume(service, volume);
  const client = new VolumeClient(service, id);
  const all: Entry[] = [];
  let count = 0;
  for await (const entries of entriesAt(client, path, choices.recursive)) {
    count += entries.length;
    if (choices.json) all.push(...entries);
    else process.stdout.write(entries.map(lineOf).join(""));
  }
  const isMissing = count === 0 && path !== "" && !(await client.isFolder(path));
  if (isMissing) {
    throw new Refusal(
      `there is no ${volume}/${path}; \`freehold ls ${volume}\` lists the volume`,
      exitCodes.notFound,
    );
  }
  if (choices.json) write(all);
}

/** The entries of a folder in pages, or the file itself. Paths begin at the folder. */
async function* entriesAt(
  client: VolumeClient,
  path: string,
  isDeep: boolean,
): AsyncGenerator<Entry[]> {
  const file = path === "" || path.endsWith("/") ? null : await client.head(path);
  if (file) {
    yield [entryOf({ key: path, ...file }, path.lastIndexOf("/") + 1)];
    return;
  }
  const prefix = asFolder(path);
  for await (const { files, folders } of client.list(prefix, isDeep)) {
    const inside = files.filter(({ key }) => key !== prefix);
    const entries = [
      ...folders.map((key) => ({ path: key.slice(prefix.length) })),
      ...inside.map((each) => entryOf(each, prefix.length)),
    ];
    yield entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

const entryOf = ({ key, size, modifiedAt }: VolumeFile, start: number): Entry => ({
  path: key.slice(start),
  ...(!key.endsWith("/") && { size, modifiedAt: new Date(modifiedAt).toISOString() }),
});

function lineOf({ path, size, modifiedAt }: Entry): string {
  const bytes = size === undefined ? "-" : bytesText(size);
  const time = modifiedAt ? modifiedAt.slice(0, 16).replace("T", " ") : "-";
  return `${bytes.padStart(12)}  ${time.padEnd(16)}  ${path}\n`;
}

function write(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
