import assert from "node:assert/strict";
import { test } from "node:test";
import { nothingHeld, type Quota } from "../quota/quota.ts";
import type { Guarantee } from "./guarantee.ts";
import { standingOf, standingText } from "./standing.ts";

const H100 = "NVIDIA H100";
const A40 = "NVIDIA A40";

type Held = Readonly<Record<string, number>>;

const use = (gpuTypes: Held, quota: Quota = {}) => ({
  quota,
  holding: {
    ...nothingHeld,
    gpus: Object.values(gpuTypes).reduce((sum, count) => sum + count, 0),
    gpuTypes,
  },
});
const vision = (gpuTypes: Held, quota: Quota = {}) => ({
  ...use(gpuTypes, quota),
  id: "p1",
  name: "vision",
});
const guarantee = (gpuCount: number, projectId = "p1", gpuTypeId = H100): Guarantee => ({
  accountId: "lab",
  projectId,
  gpuTypeId,
  gpuCount,
});

interface Case {
  accepted?: string[];
  own: ReturnType<typeof use>;
  project?: ReturnType<typeof vision>;
  guarantees?: Guarantee[];
}

const cases: [text: string, Case][] = [
  [
    'you hold 2 of 4 NVIDIA H100, the project "vision" borrows 1',
    {
      own: use({ [H100]: 2 }, { gpuTypes: { [H100]: 4 } }),
      project: vision({ [H100]: 5 }),
      guarantees: [guarantee(4)],
    },
  ],
  ["you hold no NVIDIA H100", { own: use({ [A40]: 3 }) }],
  ["you hold 1 NVIDIA H100", { own: use({ [H100]: 1, [A40]: 3 }) }],
  ["you hold 4 of 6 GPUs", { own: use({ [H100]: 1, [A40]: 3 }, { gpus: 6 }) }],
  [
    "you hold 1 of 2 NVIDIA H100",
    { own: use({ [H100]: 1, [A40]: 3 }, { gpus: 6, gpuTypes: { [H100]: 2 } }) },
  ],
  ["you hold 7 of 4 NVIDIA H100", { own: use({ [H100]: 7 }, { gpuTypes: { [H100]: 4 } }) }],
  ["you hold 0 of 0 NVIDIA H100", { own: use({}, { gpuTypes: { [H100]: 0 } }) }],
  ["you hold no GPUs", { accepted: [], own: use({}) }],
  ["you hold 1 GPU", { accepted: [H100, A40], own: use({ [A40]: 1 }) }],
  [
    'you hold 1 NVIDIA H100, the project "vision" holds 3 NVIDIA H100',
    { own: use({ [H100]: 1 }), project: vision({ [H100]: 3 }) },
  ],
  [
    'you hold 1 NVIDIA H100, the project "vision" holds 3 of 8 GPUs and is guaranteed 4',
    {
      own: use({ [H100]: 1 }),
      project: vision({ [H100]: 3 }, { gpus: 8 }),
      guarantees: [guarantee(4), guarantee(2, "p2")],
    },
  ],
  [
    'you hold 1 NVIDIA H100, the project "vision" borrows 3',
    {
      own: use({ [H100]: 1 }),
      project: vision({ [H100]: 3, [A40]: 2 }),
      guarantees: [guarantee(2, "p2"), guarantee(2, "p2", A40)],
    },
  ],
  [
    'you hold 3 GPUs, the project "vision" borrows 2',
    {
      accepted: [],
      own: use({ [H100]: 1, [A40]: 2 }),
      project: vision({ [H100]: 1, [A40]: 4 }),
      guarantees: [guarantee(2), guarantee(2, "p1", A40)],
    },
  ],
  [
    'you hold 1 NVIDIA H100, the project "vision" holds 1 of 2 NVIDIA H100',
    {
      own: use({ [H100]: 1 }),
      project: vision({ [H100]: 1, [A40]: 4 }, { gpuTypes: { [H100]: 2 } }),
      guarantees: [guarantee(2, "p1", A40)],
    },
  ],
];
for (const [expected, { accepted = [H100], own, project = null, guarantees = [] }] of cases) {
  test(`a request in line: ${expected}`, () => {
    const standing = standingOf({ accepted, own, project, guarantees });
    assert.equal(standingText(standing, "you hold"), expected);
  });
}
