export function buildTestKit(): void;
export function writeVariables(file: string): void;
