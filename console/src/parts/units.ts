// Numbers as people read them, always with their unit.

const twoDigits = new Intl.NumberFormat("en", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const few = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
const whole = new Intl.NumberFormat("en");

/** Dollars; small ones keep two digits that say something. */
export function dollars(amount: number): string {
  const size = Math.abs(amount);
  const text = size !== 0 && size < 0.01 ? few.format(size) : twoDigits.format(size);
  return `${amount < 0 ? "−" : ""}$${text}`;
}

export const perHour = (amount: number) => `${dollars(amount)}/h`;

export const count = (n: number) => whole.format(n);

/** "1 Pod", "3 Pods" */
export const counted = (n: number, one: string, many = `${one}s`) =>
  `${count(n)} ${n === 1 ? one : many}`;

export function bytes(n: number): string {
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
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const s = Math.floor(ms / 1_000);
  if (s < 60) return `${s} s`;
  if (s < 3_600) return pair(Math.floor(s / 60), "min", s % 60, "s");
  if (s < 86_400) return pair(Math.floor(s / 3_600), "h", Math.floor((s % 3_600) / 60), "min");
  return pair(Math.floor(s / 86_400), "d", Math.floor((s % 86_400) / 3_600), "h");
}

const pair = (large: number, one: string, small: number, two: string) =>
  small === 0 ? `${large} ${one}` : `${large} ${one} ${small} ${two}`;
