// `freehold ls`: lists network volumes, or the files of one.

import { exitCodes, Refusal } from "../../../base/refusal.ts";
import { bytesText } from "../../../base/text/bytes-text.ts";
import type { RunningService } from "../../client/running-service.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { findVolume, readVolumePlace } from "../../files/location.ts";
import { asFolder, VolumeClient, type VolumeFile } from "../../files/volume-client.ts";
import { printJson, printList, reportNone } from "../../output/answer.ts";
import { addJsonOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";
import { listItems } from "../../resources/list-items.ts";
import { withOwners } from "../../resources/owner-column.ts";
import { pluralOf } from "../../resources/resource.ts";
import { resources } from "../../resources/resource-table.ts";

export const { usage, run } = defineCommand("ls", (program) => {
  program
    .argument(
      "[place]",
      "VOLUME or VOLUME/PATH: a volume, a folder or a file (default: your volumes)",
    )
    .option("-r, --recursive", "everything below the folder");
  addJsonOptions(program).action(list);
  addExamples(program, "freehold ls", "freehold ls models/checkpoints -r");
});

interface Choices extends CommonValues {
  recursive?: boolean;
}

async function list(place: string | undefined, choices: Choices): Promise<void> {
  const service = await serviceFor(choices);
  if (place === undefined) await listVolumes(service, choices);
  else await listFiles(service, place, choices);
}

async function listVolumes(service: RunningService, values: Choices): Promise<void> {
  const kind = resources.volumes!;
  const volumes = await listItems(service, kind, {});
  printList(volumes, withOwners(kind, volumes), ({ id }) => id, values);
  reportNone(volumes, pluralOf(kind), values);
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
  for await (const entries of entriesAt(client, path, choices.recursive === true)) {
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
  if (choices.json) printJson(all);
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
