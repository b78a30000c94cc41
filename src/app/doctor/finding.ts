// What one look of the doctor found.

export interface Finding {
  level: "ok" | "warn" | "fail";
  /** What was looked at, in a word or two. */
  about: string;
  says: string;
  /** What would mend it; there is one for everything that is not ok. */
  mend?: string;
}

export function findings(found: Finding[]): string {
  const width = Math.max(...found.map(({ about }) => about.length));
  return found
    .map(({ level, about, says, mend }) => {
      const line = `${level.padEnd(4)}  ${about.padEnd(width)}  ${says}`;
      return mend ? `${line}\n      ${" ".repeat(width)}  -> ${mend}\n` : `${line}\n`;
    })
    .join("");
}
