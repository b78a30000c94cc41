// Secrets, keys and credentials, as commands of their own.

import { age, permissionsText } from "./cells.ts";
import { labeledFilter } from "./owner-column.ts";
import { type Resource, resource } from "./resource.ts";

export const credentialResources: Record<string, Resource> = {
  secrets: resource({
    noun: "secret",
    list: "GET /v1/secrets",
    get: "GET /v1/secrets/{secretId}",
    create: "POST /v1/secrets",
    update: "PATCH /v1/secrets/{secretId}",
    remove: "DELETE /v1/secrets/{secretId}",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["CHANGED", ({ updatedAt }) => age(updatedAt)],
      ["DESCRIPTION", ({ description }) => description],
    ],
    filters: labeledFilter,
    schemas: async () => (await import("../../contract/rest-v1/secret/secret.ts")).secretOperations,
  }),
  keys: resource({
    noun: "API key",
    list: "GET /v1/keys",
    get: "GET /v1/keys/{keyId}",
    create: "POST /v1/keys",
    update: "PATCH /v1/keys/{keyId}",
    remove: "DELETE /v1/keys/{keyId}",
    deleteAlias: "revoke",
    actions: {
      disable: {
        route: "PATCH /v1/keys/{keyId}",
        body: { disabled: true },
        about: "refuse API keys until they are enabled",
        done: "is disabled",
      },
      enable: {
        route: "PATCH /v1/keys/{keyId}",
        body: { disabled: false },
        about: "accept API keys again",
        done: "is enabled",
      },
    },
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["KEY", ({ hint }) => `...${hint}`],
      ["STATE", ({ disabled }) => (disabled ? "disabled" : "enabled")],
      ["PERMISSIONS", permissionsText],
      ["USED", ({ lastUsedAt }) => age(lastUsedAt)],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    filters: { labels: labeledFilter.labels },
    schemas: async () => (await import("../../contract/rest-v1/account/key.ts")).keyOperations,
  }),
  registries: resource({
    noun: "registry credential",
    list: "GET /v1/containerregistryauth",
    get: "GET /v1/containerregistryauth/{containerRegistryAuthId}",
    create: "POST /v1/containerregistryauth",
    update: "PATCH /v1/containerregistryauth/{containerRegistryAuthId}",
    remove: "DELETE /v1/containerregistryauth/{containerRegistryAuthId}",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["REGISTRY", ({ registry }) => registry],
    ],
    filters: labeledFilter,
    schemas: async () =>
      (await import("../../contract/rest-v1/secret/registry-auth.ts")).registryAuthOperations,
  }),
  "ssh-keys": resource({
    noun: "SSH key",
    list: "GET /v1/ssh-keys",
    get: "GET /v1/ssh-keys/{sshKeyId}",
    create: "POST /v1/ssh-keys",
    update: "PATCH /v1/ssh-keys/{sshKeyId}",
    remove: "DELETE /v1/ssh-keys/{sshKeyId}",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["FINGERPRINT", ({ fingerprint }) => fingerprint],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    filters: labeledFilter,
    schemas: async () =>
      (await import("../../contract/rest-v1/secret/ssh-key.ts")).sshKeyOperations,
  }),
  "s3-keys": resource({
    noun: "S3 key",
    list: "GET /v1/s3-keys",
    get: "GET /v1/s3-keys/{s3KeyId}",
    create: "POST /v1/s3-keys",
    update: "PATCH /v1/s3-keys/{s3KeyId}",
    remove: "DELETE /v1/s3-keys/{s3KeyId}",
    deleteAlias: "revoke",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["ACCESS", ({ access }) => access],
      ["VOLUMES", ({ volumeIds }) => volumeIds?.join(" ") ?? "all"],
      ["USED", ({ lastUsedAt }) => age(lastUsedAt)],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    filters: labeledFilter,
    schemas: async () => (await import("../../contract/rest-v1/storage/s3-key.ts")).s3KeyOperations,
  }),
};
