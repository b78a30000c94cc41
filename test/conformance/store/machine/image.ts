// Images that were pulled with registry credentials.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  hasPrivateImage,
  markImage,
  markImageId,
} from "../../../../src/store/private-image/private-image.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

export function imageConformance(open: OpenStore): void {
  test("a private image is marked by its name on one machine, then by its id on all", async (t) => {
    const { store } = await Fixture.set(open, t);
    const has = (machine: string, ...images: string[]) =>
      store.read(hasPrivateImage, machine, images);
    await store.write(markImage, "m", "r/a:1");
    await store.write(markImage, "m", "r/a:1");
    assert.equal(await has("m", "sha256:1", "r/a:1"), true);
    assert.equal(await has("other", "sha256:1", "r/a:1"), false);
    await store.write(markImageId, "m", "sha256:1", "r/a:1");
    assert.equal(await has("m", "r/a:1"), false);
    assert.equal(await has("other", "r/b:2", "sha256:1"), true);
    assert.equal(await has("m"), false);
  });
}
