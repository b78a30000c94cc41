// Which images are private is kept in the store, so that whichever replica attends an engine knows it.

import type { ImageMarks } from "../drivers/docker/private-images.ts";
import { hasPrivateImage, markImage, markImageId } from "../store/registry-auth/private-image.ts";
import type { Store } from "../store/store.ts";

export function imageMarks(store: Store, machine: string): ImageMarks {
  return {
    marked: (images) => store.read(hasPrivateImage, machine, images),
    mark: (name) => store.write(markImage, machine, name),
    markId: (id, name) => store.write(markImageId, machine, id, name),
  };
}
