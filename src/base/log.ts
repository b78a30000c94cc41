// The logger of every module. Pino implements it: `facts` become fields of the line.

export interface Logger {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
