// The settings of the S3 interface: how far clients' clocks may differ.

const MINUTE_MS = 60_000;
const USUAL_SKEW_MINUTES = 15;
const MAX_SKEW_MINUTES = 60;

export function readClockSkew(setting: string | null, errors: string[]): number {
  if (setting === null) return USUAL_SKEW_MINUTES * MINUTE_MS;
  const minutes = Number(setting);
  if (!/^\d{1,2}$/.test(setting) || minutes < 1 || minutes > MAX_SKEW_MINUTES) {
    errors.push(`FREEHOLD_S3_CLOCK_SKEW is "${setting}"; it takes 1 to 60 minutes`);
  }
  return minutes * MINUTE_MS;
}
