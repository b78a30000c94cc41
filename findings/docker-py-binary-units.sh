#!/bin/sh
# Version: docker 7.2.0 (PyPI), Python 3; docker/go-units 0.5.0, which `docker run -m` reads sizes with (Go 1.24 or later)
# Guessed: the limit of memory of Docker's SDK for Python takes the sizes that `docker run -m` takes.
# Really: it knows b, k, m and g, with or without a b. `GiB`, as `docker stats` shows sizes, and terabytes are refused, so
# that a limit that was copied from the command line fails before a container is made:
#   16g: docker run 17179869184, SDK 17179869184
#   16GiB: docker run 17179869184, SDK DockerException
#   512MiB: docker run 536870912, SDK DockerException
#   1t: docker run 1099511627776, SDK DockerException
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check docker==7.2.0 >&2
cat > go.mod <<'END'
module sizes

go 1.21

require github.com/docker/go-units v0.5.0
END
cat > sizes.go <<'END'
package main

import (
	"fmt"
	"os"

	"github.com/docker/go-units"
)

func main() {
	for _, size := range os.Args[1:] {
		bytes, err := units.RAMInBytes(size)
		if err != nil {
			panic(err)
		}
		fmt.Println(bytes)
	}
}
END
cat > sizes.py <<'END'
import subprocess
import docker

SIZES = ["16g", "16GiB", "512MiB", "1t"]

def with_sdk(size):
    try:
        return docker.utils.parse_bytes(size)
    except docker.errors.DockerException as error:
        return type(error).__name__

of_run = subprocess.run(["go", "run", ".", *SIZES], check=True, capture_output=True, text=True).stdout.split()
for size, bytes in zip(SIZES, of_run):
    print(f"{size}: docker run {bytes}, SDK {with_sdk(size)}")
END
GOFLAGS=-mod=mod environment/bin/python sizes.py | tee output
cat > expected <<'END'
16g: docker run 17179869184, SDK 17179869184
16GiB: docker run 17179869184, SDK DockerException
512MiB: docker run 536870912, SDK DockerException
1t: docker run 1099511627776, SDK DockerException
END
cmp output expected
