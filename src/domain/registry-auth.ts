// What opens a registry of images, as it is kept: its credentials are sealed.

export interface RegistryAuth {
  id: string;
  accountId: string;
  name: string;
  /** Username and password as JSON, sealed for `credentialsOwner`. */
  credentials: string;
  createdAt: number;
}

export interface Credentials {
  username: string;
  password: string;
}

/** What an auth's credentials are sealed for. */
export const credentialsOwner = (id: string) => `registry_auth:${id}`;
