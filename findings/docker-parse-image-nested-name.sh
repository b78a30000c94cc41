#!/bin/sh
# Version: docker-parse-image 3.0.1 and parse-docker-image-name 3.0.0 (npm), Node 20 or later
# Guessed: a parser of image names reads the names that registries have today: several levels of a repository, as GitHub's and
# GitLab's registries give them, digests, and registries of one's own.
# Really: docker-parse-image knows two levels. It finds no name in one with three, makes a tag of a digest, and adds `library`,
# which is a convention of Docker Hub, to repositories of other registries:
#   ghcr.io/acme/vision/llm:1: null, ghcr.io acme/vision/llm
#   localhost:5000/llm: localhost:5000/library/llm:latest, localhost:5000 llm
#   llm@sha256:00000000...: library/llm:sha256:00000000..., llm
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit docker-parse-image@3.0.1 parse-docker-image-name@3.0.0 >&2
cat > read.mjs <<'END'
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const first = require("docker-parse-image");
const second = require("parse-docker-image-name");
const read = second.default ?? second;
const zeros = "0".repeat(64);
for (const name of ["ghcr.io/acme/vision/llm:1", "localhost:5000/llm", `llm@sha256:${zeros}`]) {
  const { domain, path } = read(name);
  const line = `${name}: ${first(name)?.fullname ?? null}, ${[domain, path].filter(Boolean).join(" ")}`;
  console.log(line.replaceAll(zeros, "00000000..."));
}
END
node read.mjs | tee output
cat > expected <<'END'
ghcr.io/acme/vision/llm:1: null, ghcr.io acme/vision/llm
localhost:5000/llm: localhost:5000/library/llm:latest, localhost:5000 llm
llm@sha256:00000000...: library/llm:sha256:00000000..., llm
END
cmp output expected
