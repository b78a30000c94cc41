// A cron expression in words: "At 02:00, only on Monday".

import cronstrue from "cronstrue";

/** Empty for an expression that cannot be read. */
export function cronInWords(cron: string): string {
  try {
    return cronstrue.toString(cron.trim(), { use24HourTimeFormat: true });
  } catch {
    return "";
  }
}
