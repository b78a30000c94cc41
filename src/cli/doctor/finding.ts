// The result of one check of `freehold doctor`.

export interface Finding {
  level: "ok" | "warn" | "fail";
  /** The subject of the check, in a word or two. */
  about: string;
  says: string;
  /** The fix. Every result that is not ok has one. */
  fix?: string;
}

export function findings(found: Finding[]): string {
  const width = Math.max(...found.map(({ about }) => about.length));
  return found
    .map(({ level, about, says, fix }) => {
      const line = `${level.padEnd(4)}  ${about.padEnd(width)}  ${says}`;
      return fix ? `${line}\n      ${" ".repeat(width)}  -> ${fix}\n` : `${line}\n`;
    })
    .join("");
}
