// Marks of private images that last as long as a test.

import type { ImageMarks } from "./private-images.ts";

export function marksInMemory(): ImageMarks {
  const marks = new Set<string>();
  return {
    marked: async (images) => images.some((image) => marks.has(image)),
    mark: async (name) => void marks.add(name),
    async markId(id, name) {
      marks.add(id);
      marks.delete(name);
    },
  };
}
