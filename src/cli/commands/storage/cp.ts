// `freehold cp SRC DST`: copies files to, from and between network volumes.

import path from "node:path";
import { Refusal, UsageError } from "../../../base/refusal.ts";
import { bytesText } from "../../../base/text/bytes-text.ts";
import type { RunningService } from "../../client/running-service.ts";
import { serviceFor } from "../../context/choose-service.ts";
import {
  type CopyPlan,
  downloadPlan,
  type FileCopy,
  type RemotePlace,
  remotePlan,
  uploadPlan,
} from "../../files/copy.ts";
import { inParallel } from "../../files/in-parallel.ts";
import { findVolume, readPlace, type VolumeLocation } from "../../files/location.ts";
import { TransferProgress } from "../../files/progress.ts";
import { VolumeClient } from "../../files/volume-client.ts";
import { addServiceOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, addNotes, defineCommand } from "../../program/define-command.ts";

export const { usage, run } = defineCommand("cp", (program) => {
  addNotes(
    program,
    "A volume is named by its id or its name. A copy that was interrupted goes on where it ended if",
    "you run the command again.",
  );
  program
    .argument("<source>", "a path, or VOLUME:PATH")
    .argument("<target>", "a path, or VOLUME:PATH; one of the two is on a volume")
    .option("-r, --recursive", "copy what is in a folder")
    .option("-u, --update", "leave out files that are at the target in the same size and not older")
    .option("-q, --quiet", "no progress");
  addServiceOptions(program).action(copy);
  addExamples(
    program,
    "freehold cp model.bin models:checkpoints/",
    "freehold cp models:checkpoints/model.bin .",
    "freehold cp -r ./data models:data",
    "freehold cp -r models:data backup:data",
  );
});

const PARALLEL_FILES = 4;

interface Choices extends CommonValues {
  recursive?: boolean;
  update?: boolean;
}

async function copy(from: string, to: string, choices: Choices): Promise<void> {
  try {
    const plan = await planFor(() => serviceFor(choices), from, to);
    if (plan.isTree && !choices.recursive) {
      throw new UsageError(`${from} is a folder; add -r to copy what is in it`);
    }
    await copyAll(plan, choices);
  } catch (error) {
    throw asRefusal(error);
  }
}

async function planFor(service: () => Promise<RunningService>, source: string, target: string) {
  const from = readPlace(source);
  const to = readPlace(target);
  if ("local" in from && "local" in to) {
    throw new UsageError("one of the two must be on a volume: VOLUME:PATH");
  }
  const running = await service();
  if ("local" in from) return uploadPlan(from.local, await placed(running, to as VolumeLocation));
  const remote = await placed(running, from);
  if ("local" in to) return downloadPlan(remote, to.local);
  return remotePlan(remote, await placed(running, to));
}

async function placed(
  service: RunningService,
  { volume, path }: VolumeLocation,
): Promise<RemotePlace> {
  const { id } = await findVolume(service, volume);
  return { client: new VolumeClient(service, id), volume, path };
}

async function copyAll(plan: CopyPlan, { update, quiet = false }: Choices): Promise<void> {
  const progress = new TransferProgress(quiet);
  const files: FileCopy[] = [];
  for await (const file of plan.files) {
    files.push(file);
    progress.expect(file.size);
  }
  let copied = 0;
  let unchanged = 0;
  try {
    await inParallel(PARALLEL_FILES, files, async (file) => {
      if (update && (await isCurrent(plan, file))) {
        unchanged++;
        return progress.add(file.size, file.from);
      }
      await plan.copy(file, progress);
      copied++;
    });
  } finally {
    progress.clear();
  }
  if (quiet || !process.stdout.isTTY) return;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const left = unchanged > 0 ? `, ${unchanged} unchanged` : "";
  const name = files.length === 1 ? path.basename(files[0]!.to) : `${copied} files`;
  process.stdout.write(`copied ${name}${left} (${bytesText(bytes)})\n`);
}

async function isCurrent(plan: CopyPlan, { to, size, modifiedAt }: FileCopy): Promise<boolean> {
  const found = await plan.existing(to);
  // Files of a volume have times in whole seconds.
  return found !== null && found.size === size && found.modifiedAt + 1_000 > modifiedAt;
}

/** A failure of this machine's file system, as a sentence. */
function asRefusal(error: unknown): unknown {
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall && !(error instanceof Refusal) ? new Refusal(message) : error;
}
