import assert from "node:assert/strict";
import { test } from "node:test";
import { containerIn, machinePathOf } from "./own-container.ts";

const id = "ab".repeat(32);

test("the container of a process is read from its mounts", () => {
  const line = (root: string, point: string) =>
    `612 590 254:0 ${root} ${point} rw,relatime - ext4 /dev/vda rw\n`;
  const docker = line(`/var/lib/docker/containers/${id}/hostname`, "/etc/hostname");
  const podman = line(`/containers/overlay-containers/${id}/userdata/hostname`, "/etc/hostname");
  assert.equal(containerIn(line("/", "/proc") + docker), id);
  assert.equal(containerIn(podman), id);
  assert.equal(
    containerIn(line(`/var/lib/docker/containers/${id}/hostname`, "/mnt/hostname")),
    null,
  );
  assert.equal(containerIn(""), null);
});

test("a path in a mount is one of the machine's, and the nearest mount counts", () => {
  const mounts = [
    { Source: "/srv/all", Destination: "/data" },
    { Source: "/fast/models", Destination: "/data/models" },
  ];
  const cases = [
    ["/data", "/srv/all"],
    ["/data/workers/a", "/srv/all/workers/a"],
    ["/data/models/hub", "/fast/models/hub"],
    ["/data/..models", "/srv/all/..models"],
    ["/database", null],
    ["/", null],
  ] as const;
  for (const [file, expected] of cases) assert.equal(machinePathOf(mounts, file), expected, file);
});
