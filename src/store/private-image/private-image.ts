// The table `private_image`: images that were pulled with registry credentials. During the pull an
// image is marked by its name on one machine, and from then on by its id on all machines.

import { change, row, type Tx } from "../engine/statement.ts";

/** The machine of a mark that is valid on all machines. */
const ANY_MACHINE = "";

/** True if one of these ids, or one of these names on the machine, is marked. */
export function* hasPrivateImage(machine: string, images: string[]): Tx<boolean> {
  for (const image of images) {
    const found = yield* row(
      "select 1 from private_image where image = ? and machine in (?, '')",
      image,
      machine,
    );
    if (found) return true;
  }
  return false;
}

/** Marks a name on one machine. */
export function* markImage(machine: string, name: string): Tx<void> {
  yield* change(
    "insert into private_image (image, machine) values (?, ?) on conflict do nothing",
    name,
    machine,
  );
}

/** Replaces the mark of a name on one machine with the mark of its id. */
export function* markImageId(machine: string, id: string, name: string): Tx<void> {
  yield* markImage(ANY_MACHINE, id);
  yield* change("delete from private_image where image = ? and machine = ?", name, machine);
}
