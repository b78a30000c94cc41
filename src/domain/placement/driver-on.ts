// The driver of a machine that runs what was requested for a driver. Pure.

/** Null if the machine has none. Kubernetes runs the containers that are meant for Docker. */
export function driverOn(drivers: readonly string[], requested: string): string | null {
  if (drivers.includes(requested)) return requested;
  return requested === "docker" && drivers.includes("kubernetes") ? "kubernetes" : null;
}
