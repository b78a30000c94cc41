// The result of one check of `freehold doctor`.

export interface Finding {
  level: "ok" | "warn" | "fail";
  /** The subject of the check, in a word or two. */
  about: string;
  says: string;
  /** The fix. Every result that is not ok has one. */
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
