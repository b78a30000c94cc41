// The record of private images, kept in the store so that every replica that manages an engine
// knows it.

import type { ImageMarks } from "../../drivers/docker/image/private-images.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  hasPrivateImage,
  markImage,
  markImageId,
} from "../../store/private-image/private-image.ts";

export function imageMarks(store: Store, machine: string): ImageMarks {
  return {
    areMarked: (images) => store.read(hasPrivateImage, machine, images),
    mark: (name) => store.write(markImage, machine, name),
    markId: (id, name) => store.write(markImageId, machine, id, name),
  };
}
