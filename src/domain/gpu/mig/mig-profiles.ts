// The MIG profiles of a GPU as `nvidia-smi mig` lists them, and which of them fit on it together. Pure.

export interface MigProfile {
  /** Such as "1g.10gb". */
  name: string;
  id: number;
  /** How many of them fit on an empty GPU. */
  total: number;
  /** The memory slices that it can begin at; empty if the driver does not list them. */
  starts: readonly number[];
  /** The memory slices that it takes. */
  size: number;
}

/** Such as "3g.40gb", "1g.10gb+me" or "1g.24gb-me"; that of a compute instance is none. */
export const isProfileName = (text: string): boolean =>
  /^\d{1,2}g\.\d{1,4}gb(?:[+-][a-z.]{1,20})?$/.test(text);

/** `profiles` is what `-lgip` prints, and `placements` what `-lgipp` does. */
export function parseMigProfiles(profiles: string, placements: string): MigProfile[] {
  const places = new Map(
    [...placements.matchAll(/Profile ID\s+(\d+)\s+Placements?\s*:\s*\{([\d,\s]*)\}:(\d+)/g)].map(
      ([, id, starts, size]) => {
        const numbers = starts!.split(",").flatMap((text) => (text.trim() ? [Number(text)] : []));
        return [Number(id), { starts: numbers, size: Number(size) }];
      },
    ),
  );
  const rows = profiles.matchAll(/^\|\s+\d+\s+MIG (\S+)\s+(\d+)\s+\d+\/(\d+)\s/gm);
  return [...rows].map(([, name, id, total]) => {
    const { starts, size } = places.get(Number(id)) ?? { starts: [], size: 0 };
    return { name: name!, id: Number(id), total: Number(total), starts, size };
  });
}

/** The profiles of the GPU instances that `-lgi` lists, without those of their compute instances. */
export function parseGpuInstances(text: string): string[] {
  const rows = text.matchAll(/^\|\s+\d+\s+MIG (\S+)\s+\d+\s+\d+\s+\d+:\d+\s/gm);
  return [...rows].map(([, name]) => name!);
}

/** The profiles of the compute instances that `-lci` lists; one that is smaller than its GPU instance begins with "1c." */
export function parseComputeInstances(text: string): string[] {
  const rows = text.matchAll(/^\|\s+\d+\s+\d+\s+MIG (\S+)\s+\d+\s+\d+\s/gm);
  return [...rows].map(([, name]) => name!);
}

interface Plan {
  /** In the order in which the driver finds room for all of them: the large ones first. */
  order: string[];
}

/** Why a GPU cannot be divided so, or in which order its devices are to be created. */
export function planMigLayout(
  available: readonly MigProfile[],
  names: readonly string[],
): Plan | { refusal: string } {
  const known = new Map(available.map((profile) => [profile.name, profile]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    const list = available.map(({ name, total }) => countOf(name, total)).join(", ");
    return { refusal: `the GPU has no profile ${unknown}; it has room for ${list}` };
  }
  const profiles = names.map((name) => known.get(name)!).toSorted((a, b) => b.size - a.size);
  for (const { name, total } of available) {
    const count = names.filter((each) => each === name).length;
    if (count > total) return { refusal: `${count} times ${name} do not fit; at most ${total} do` };
  }
  if (!fits(profiles, 0)) {
    return { refusal: `${summaryOf(names)} do not fit on the GPU together` };
  }
  return { order: profiles.map(({ name }) => name) };
}

/** Whether each of these has a place of its own beside the slices that are taken, a bit of `taken` each. */
function fits([first, ...others]: readonly MigProfile[], taken: number): boolean {
  if (!first) return true;
  if (first.starts.length === 0) return fits(others, taken);
  return first.starts.some((start) => {
    const slices = ((1 << first.size) - 1) << start;
    return (taken & slices) === 0 && fits(others, taken | slices);
  });
}

/** "2 × 3g.40gb, 1g.10gb" */
export function summaryOf(names: readonly string[]): string {
  return [...new Set(names)]
    .map((name) => {
      const count = names.filter((each) => each === name).length;
      return countOf(name, count);
    })
    .join(", ");
}

const countOf = (name: string, count: number) => (count === 1 ? name : `${count} × ${name}`);

/** Whether two layouts are the same, in whatever order. */
export const isSameLayout = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join() === b.toSorted().join();
