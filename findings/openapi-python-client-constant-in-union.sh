#!/bin/sh
# Version: openapi-python-client 0.29.1 and datamodel-code-generator 0.89.0 with pydantic 2.14.4 (PyPI), Python 3.10 or later
# Guessed: a field that is a constant or a number of a range (`anyOf`, such as 0 for no limit, or 5 to 60) is read as either.
# Really: openapi-python-client makes a reader that takes the constant alone. An answer with any other value raises, and no
# warning names the field; datamodel-code-generator reads both:
#   openapi-python-client: 0 read, 30 ValueError
#   datamodel-code-generator: 0 read, 30 read
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check \
  openapi-python-client==0.29.1 datamodel-code-generator==0.89.0 pydantic==2.14.4 >&2
cat > api.json <<'END_OF_DOCUMENT'
{
  "openapi": "3.1.0",
  "info": { "title": "Jobs", "version": "1" },
  "paths": { "/job": { "get": { "operationId": "getJob", "responses": { "200": { "description": "a",
    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Job" } } } } } } } },
  "components": { "schemas": { "Job": { "type": "object", "required": ["timeout"], "properties": {
    "timeout": { "anyOf": [{ "const": 0 }, { "type": "integer", "minimum": 5, "maximum": 60 }] } } } } }
}
END_OF_DOCUMENT
environment/bin/openapi-python-client generate --path api.json --meta none --output-path client >&2
environment/bin/datamodel-codegen --input api.json --input-file-type openapi --output-model-type pydantic_v2.BaseModel \
  --output models.py --disable-timestamp >&2
cat > read.py <<'END_OF_PROGRAM'
import models
from client.models import Job

def outcome(read, value):
    try:
        read({"timeout": value})
        return f"{value} read"
    except Exception as error:
        return f"{value} {type(error).__name__}"

print("openapi-python-client:", ", ".join(outcome(Job.from_dict, value) for value in (0, 30)))
print("datamodel-code-generator:", ", ".join(outcome(models.Job.model_validate, value) for value in (0, 30)))
END_OF_PROGRAM
environment/bin/python read.py | tee output
cat > expected <<'END_OF_OUTPUT'
openapi-python-client: 0 read, 30 ValueError
datamodel-code-generator: 0 read, 30 read
END_OF_OUTPUT
cmp output expected
