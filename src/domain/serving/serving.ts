// Where a worker of a load-balancing endpoint serves HTTP, from the variables of its template. Pure.

export interface Serving {
  /** The port of requests. */
  port: number;
  /** The port of health checks. */
  healthPort: number;
  healthPath: string;
}

const DEFAULT_PORT = 80;
const DEFAULT_PATH = "/ping";

type Env = Readonly<Record<string, string>>;

/** Requires variables without errors. */
export function servingOf(env: Env): Serving {
  const port = portIn(env, "PORT") ?? DEFAULT_PORT;
  const healthPath = env.HEALTH_CHECK_PATH?.trim() || DEFAULT_PATH;
  return { port, healthPort: portIn(env, "PORT_HEALTH") ?? port, healthPath };
}

/** A sentence for each variable that no health check could use. */
export function servingErrors(env: Env): string[] {
  const path = env.HEALTH_CHECK_PATH?.trim();
  return [
    ...["PORT", "PORT_HEALTH"].flatMap((name) => portErrors(name, env[name]?.trim())),
    ...(path && !/^\/[!-~]*$/.test(path)
      ? [`The variable HEALTH_CHECK_PATH is "${path}" and must be a path, such as /ping.`]
      : []),
  ];
}

/** The variables that tell the worker's server where to listen. */
export const servingEnv = ({ port, healthPort }: Serving) => ({
  PORT: String(port),
  PORT_HEALTH: String(healthPort),
});

function portErrors(name: string, text: string | undefined): string[] {
  if (!text || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535)) return [];
  return [`The variable ${name} is "${text}" and must be a port, a whole number from 1 to 65535.`];
}

function portIn(env: Env, name: string): number | null {
  const text = env[name]?.trim();
  return text ? Number(text) : null;
}
