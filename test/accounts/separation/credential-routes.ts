// The routes of secrets, registry credentials, SSH keys and S3 keys, each with what a caller of another account gets.

import { type Case, hidden, own, withBody } from "./case.ts";

const labeled = withBody("hidden", { labels: { team: "b" } });

export const credentialRoutes: Record<string, Case> = {
  "POST /v1/containerregistryauth": withBody("own", { name: "b", username: "b", password: "b" }),
  "GET /v1/containerregistryauth": own,
  "GET /v1/containerregistryauth/:containerRegistryAuthId": hidden,
  "PATCH /v1/containerregistryauth/:containerRegistryAuthId": labeled,
  "DELETE /v1/containerregistryauth/:containerRegistryAuthId": hidden,
  "POST /v1/secrets": withBody("own", { name: "beta", value: "b" }),
  "GET /v1/secrets": own,
  "GET /v1/secrets/:secretId": hidden,
  "PATCH /v1/secrets/:secretId": withBody("hidden", { value: "b" }),
  "POST /v1/secrets/:secretId/update": withBody("hidden", { value: "b" }),
  "DELETE /v1/secrets/:secretId": hidden,
  "POST /v1/ssh-keys": withBody("own", {
    publicKey: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${"B".repeat(43)}`,
  }),
  "POST /v1/s3-keys": withBody("own", { name: "beta" }),
  "GET /v1/s3-keys": own,
  "GET /v1/s3-keys/:s3KeyId": hidden,
  "PATCH /v1/s3-keys/:s3KeyId": labeled,
  "DELETE /v1/s3-keys/:s3KeyId": hidden,
  "GET /v1/ssh-keys": own,
  "GET /v1/ssh-keys/:sshKeyId": hidden,
  "PATCH /v1/ssh-keys/:sshKeyId": labeled,
  "DELETE /v1/ssh-keys/:sshKeyId": hidden,
};
