// The setting of what an account may store.

const USUAL_GB = 50;

/** In bytes; null for no limit. */
export function readStoragePerAccount(setting: string | null, errors: string[]): number | null {
  if (setting === "off") return null;
  if (setting !== null && !/^\d{1,6}(\.\d{1,3})?$/.test(setting)) {
    errors.push(
      `FREEHOLD_STORAGE_PER_ACCOUNT is "${setting}"; it takes a number of GB such as 50 or 0.5, or off`,
    );
  }
  return Math.round(Number(setting ?? USUAL_GB) * 1e9);
}
