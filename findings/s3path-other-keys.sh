#!/bin/sh
# Version: s3path 0.6.5 and cloudpathlib 0.26.0 (PyPI), Python 3.10 or later
# Guessed: a path object of `s3://bucket/key` names the object with that key; S3 has no folders, and each character of a key
# counts.
# Really: s3path takes the key for a path of files: it drops an empty or a dot segment, goes up at `..`, drops a slash at the
# end, and decodes `%20`, as if the address were a URL. It reads or overwrites another object than the one that a list has
# named, or none. cloudpathlib keeps the key:
#   cloudpathlib: runs//17.pt runs/./17.pt runs/../17.pt runs/ a%20b.txt
#   s3path: runs/17.pt runs/17.pt 17.pt runs a b.txt
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check s3path==0.6.5 "cloudpathlib[s3]==0.26.0" >&2
cat > name.py <<'END_OF_PROGRAM'
from cloudpathlib import S3Client
from s3path import PureS3Path

KEYS = ["runs//17.pt", "runs/./17.pt", "runs/../17.pt", "runs/", "a%20b.txt"]

client = S3Client(no_sign_request=True)
print("cloudpathlib:", *(client.S3Path(f"s3://data/{key}").key for key in KEYS))
print("s3path:", *(PureS3Path.from_uri(f"s3://data/{key}").key for key in KEYS))
END_OF_PROGRAM
environment/bin/python name.py | tee output
cat > expected <<'END_OF_OUTPUT'
cloudpathlib: runs//17.pt runs/./17.pt runs/../17.pt runs/ a%20b.txt
s3path: runs/17.pt runs/17.pt 17.pt runs a b.txt
END_OF_OUTPUT
cmp output expected
