// A cron expression in words: "At 02:00, only on Monday".

import cronstrue from "cronstrue";

/** Empty for an expression that cannot be read. */
export function cronInWords(cron: string): string {
  const [minutes, hours, monthDays, months, weekdays, ...more] = cron.trim().split(/\s+/);
  if (weekdays === undefined || more.length > 0) return describe(cron.trim());
  const fields = [
    listUneven(minutes!, 0, 59),
    listUneven(hours!, 0, 23),
    listUneven(monthDays!, 1, 31),
    listUneven(months!, 1, 12),
    listUneven(weekdays, 0, 6),
  ];
  const words = describe(fields.join(" "));
  return isAny(monthDays!) || isAny(weekdays) ? words : joinByOr(words, fields[4]!);
}

/** "Every 40 minutes" is wrong where runs are 40 and 20 minutes apart, so such steps become lists. */
function listUneven(field: string, first: number, last: number): string {
  const [, digits] = /^\*\/(\d+)$/.exec(field) ?? [];
  const step = Number(digits);
  if (!step || step > last || (last + 1 - first) % step === 0) return field;
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return values.join(",");
}

/** A schedule runs on either of its days; cronstrue joins them by "and". */
function joinByOr(words: string, weekdays: string): string {
  const days = describe(`* * * * ${weekdays}`).replace(/^Every minute, (only )?/, "");
  return words.replace(`, and ${days}`, `, or ${days}`).replace(`, ${days}`, `, or ${days}`);
}

const isAny = (field: string) => field === "*" || field === "?";

function describe(cron: string): string {
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true });
  } catch {
    return "";
  }
}
