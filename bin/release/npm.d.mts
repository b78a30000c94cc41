export function buildFreehold(): Promise<unknown>;
export function buildTestKit(): void;
export function writeVariables(file: string): void;
