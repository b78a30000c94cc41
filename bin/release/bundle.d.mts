export function bundleProgram(entry: string, file: string): void;
