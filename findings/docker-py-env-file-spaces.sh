#!/bin/sh
# Version: docker 7.2.0, python-dotenv 1.2.1 (PyPI), Python 3
# Guessed: `docker.utils.parse_env_file` reads what `docker run --env-file` reads: a name without `=` takes the value of the
# caller's environment, and a name with a space is refused.
# Really: it refuses a name without `=`, and takes a space before `=` as part of the name, so that the container has a variable
# that no shell can read. python-dotenv reads both lines:
#   REGION: docker DockerException, dotenv {'REGION': None}
#   TOKEN = x: docker {'TOKEN ': ' x'}, dotenv {'TOKEN': 'x'}
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check docker==7.2.0 python-dotenv==1.2.1 >&2
cat > read.py <<'END'
from docker.errors import DockerException
from docker.utils import parse_env_file
from dotenv import dotenv_values


def docker(file):
    try:
        return parse_env_file(file)
    except DockerException as error:
        return type(error).__name__


for line in ["REGION", "TOKEN = x"]:
    with open("env", "w") as file:
        file.write(f"{line}\n")
    print(f"{line}: docker {docker('env')}, dotenv {dict(dotenv_values('env'))}")
END
environment/bin/python read.py | tee output
cat > expected <<'END'
REGION: docker DockerException, dotenv {'REGION': None}
TOKEN = x: docker {'TOKEN ': ' x'}, dotenv {'TOKEN': 'x'}
END
cmp output expected
