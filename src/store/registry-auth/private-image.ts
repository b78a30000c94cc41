// Which images were pulled with somebody's credentials: by the name while that is under way on a
// machine, and by the image's own id, whatever machine it lies on, ever after.

import { change, row, type Verb } from "../statement.ts";

/** What stands for the machine where an image is meant on all of them. */
const ANY = "";

/** Whether one of these ids, or of these names on the machine, is marked. */
export function* hasPrivateImage(machine: string, images: string[]): Verb<boolean> {
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
export function* markImage(machine: string, name: string): Verb<void> {
  yield* change(
    "insert into private_image (image, machine) values (?, ?) on conflict do nothing",
    name,
    machine,
  );
}

/** Marks an id in place of a name on one machine. */
export function* markImageId(machine: string, id: string, name: string): Verb<void> {
  yield* markImage(ANY, id);
  yield* change("delete from private_image where image = ? and machine = ?", name, machine);
}
