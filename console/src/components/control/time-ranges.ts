// The time ranges that filters offer, as durations until now.

export const timeRanges: [value: string, name: string][] = [
  ["15m", "Last 15 minutes"],
  ["1h", "Last hour"],
  ["1d", "Last day"],
  ["7d", "Last 7 days"],
];
