// Numbers as text, always with their unit.

const twoDigits = new Intl.NumberFormat("en", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const twoSignificantDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
const integer = new Intl.NumberFormat("en");

/** Dollars; amounts below a cent keep two significant digits. */
export function formatDollars(amount: number): string {
  const size = Math.abs(amount);
  const text =
    size !== 0 && size < 0.01 ? twoSignificantDigits.format(size) : twoDigits.format(size);
  return `${amount < 0 ? "−" : ""}$${text}`;
}

const sixDigits = new Intl.NumberFormat("en", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

const microDigits = new Intl.NumberFormat("en", {
  minimumFractionDigits: 6,
  maximumFractionDigits: 6,
});

/** Dollars to the micro-dollar, as they are metered. */
export const formatExactDollars = (amount: number) => `$${sixDigits.format(amount)}`;

/** Dollars with all six digits, for columns. */
export const formatMicros = (micros: number) =>
  `${micros < 0 ? "−" : ""}$${microDigits.format(Math.abs(micros) / 1e6)}`;

export const formatHourlyPrice = (amount: number) => `${formatDollars(amount)}/h`;

export const formatCount = (n: number) => integer.format(n);

/** "1 Pod", "3 Pods" */
export const formatQuantity = (n: number, singular: string, plural = `${singular}s`) =>
  `${formatCount(n)} ${n === 1 ? singular : plural}`;

/** "20 Pods", or "3 of 20 Pods" while a filter hides some */
export const formatShown = (shown: number, all: number, singular: string, plural?: string) =>
  `${shown === all ? "" : `${formatCount(shown)} of `}${formatQuantity(all, singular, plural)}`;

export function formatBytes(n: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = n;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** "340 ms", "2.4 s", "3 min 5 s", "2 h 10 min", "3 d 4 h" */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const s = Math.floor(ms / 1_000);
  if (s < 60) return `${s} s`;
  if (s < 3_600) return joinUnits(Math.floor(s / 60), "min", s % 60, "s");
  if (s < 86_400) return joinUnits(Math.floor(s / 3_600), "h", Math.floor((s % 3_600) / 60), "min");
  return joinUnits(Math.floor(s / 86_400), "d", Math.floor((s % 86_400) / 3_600), "h");
}

const joinUnits = (large: number, singular: string, small: number, two: string) =>
  small === 0 ? `${large} ${singular}` : `${large} ${singular} ${small} ${two}`;
