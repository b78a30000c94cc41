// A fabric: a private network between machines, as their operator declares it. Clusters may span the machines
// of one fabric.

/** A machine's part in a fabric. */
export interface FabricAddress {
  name: string;
  /** The machine's IPv4 address in it. */
  address: string;
}

/** What an engine needs to join the engines of a fabric. */
export interface FabricManager {
  /** The id of the managing engine among the engines. */
  node: string;
  /** Its address and port. */
  address: string;
  /** The secret that lets an engine join. */
  token: string;
}

/** The owner id that the token is sealed for. */
export const fabricOwner = (name: string) => `fabric:${name}`;
