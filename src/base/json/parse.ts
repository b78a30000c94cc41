// JSON that was written by hand or by another program: it may begin with a byte order mark, which editors on
// Windows add and JSON.parse refuses.

export const withoutMark = (text: string) => (text.startsWith("\ufeff") ? text.slice(1) : text);

export const parseJson = (text: string): unknown => JSON.parse(withoutMark(text));
