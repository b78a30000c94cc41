// The address leads to a server that answers and must not be used. The message completes a sentence about it, and says
// what to do.

export class UnsuitableServer extends Error {
  override readonly name = "UnsuitableServer";
}

export const standby = () =>
  new UnsuitableServer(
    "is a standby, which takes no writes; name the primary in FREEHOLD_DATABASE_URL",
  );

/** The store would share its sessions, with their settings, with other programs. */
export const transactionPooler = () =>
  new UnsuitableServer(
    "is behind a pooler in transaction mode; set the pooler to session mode (PgBouncer: pool_mode = session), " +
      "or name the server itself in FREEHOLD_DATABASE_URL",
  );
