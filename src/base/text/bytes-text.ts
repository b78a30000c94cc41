// Formats a number of bytes for people.

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

export function bytesText(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
