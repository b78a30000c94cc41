// The numbers of MIG devices on a cluster's node. A cluster says how many of a profile there are, so that a number stands
// for its profile: it stays right when the layout of the node changes. Pure.

/** Beyond those of whole and of simulated GPUs. */
const FIRST = 1_000_000;
/** How many devices of one profile a node may have. */
const PER_PROFILE = 100;

/** How NVIDIA's device plugin writes what follows a profile; the place of each is part of a number. */
const VARIANTS = ["", ".me", ".me.all", ".gfx", "-me"];

const FORM = /^(\d)g\.(\d{1,3})gb(.*)$/;

/** The numbers of devices of a profile as a resource names it, such as "1g.10gb.me"; null for another form. */
export function sliceNumbers(profile: string, count: number): number[] | null {
  const [, slices, memory, rest = ""] = FORM.exec(profile) ?? [];
  const variant = VARIANTS.indexOf(rest);
  if (slices === undefined || variant < 0) return null;
  const code = (Number(slices) * 1_000 + Number(memory)) * 10 + variant;
  const first = FIRST + code * PER_PROFILE;
  return Array.from({ length: Math.min(count, PER_PROFILE) }, (_, index) => first + index);
}

/** Null for the number of another GPU. */
export function profileOfNumber(index: number): string | null {
  if (index < FIRST) return null;
  const code = Math.floor((index - FIRST) / PER_PROFILE);
  const size = Math.floor(code / 10);
  return `${Math.floor(size / 1_000)}g.${size % 1_000}gb${VARIANTS[code % 10] ?? ""}`;
}

/** The profile as the driver writes it: a resource has a dot in place of its plus. */
export const driverProfile = (profile: string): string => profile.replace(/gb\./, "gb+");
