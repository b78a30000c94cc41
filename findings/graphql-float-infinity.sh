#!/bin/sh
# Version: graphql 17.1.0 (npm), Node 20 or later
# Guessed: a Float that no double can hold, 1e400, is refused wherever it is written, as the specification has it (Float,
# input coercion: a value that is not finite raises a request error).
# Really: GraphQLFloat.parseLiteral refuses it, and so does a variable, but a literal in a document that is executed reaches
# the resolver as Infinity, without an error:
#   scalar: Float cannot represent non numeric value: Infinity
#   variable: refused
#   literal: Infinity
# It matters if you compare or store such a number, a price limit for example: JSON.stringify writes null for it, and a
# schema that says Float does not keep it out.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit graphql@17.1.0 >&2
cat > float.mjs <<'END'
import { buildSchema, GraphQLFloat, graphql, parseValue } from "graphql";

try {
  console.log("scalar:", GraphQLFloat.parseLiteral(parseValue("1e400")));
} catch ({ message }) {
  console.log("scalar:", message);
}
const schema = buildSchema("type Query { read(x: Float): String }");
const rootValue = { read: ({ x }) => String(x) };
const ask = (source, variableValues) => graphql({ schema, source, rootValue, variableValues });
const shown = ({ data, errors }) => (errors ? "refused" : data.read);
const variables = JSON.parse('{"x":1e400}');
console.log("variable:", shown(await ask("query ($x: Float) { read(x: $x) }", variables)));
console.log("literal:", shown(await ask("{ read(x: 1e400) }")));
END
node float.mjs | tee output
cat > expected <<'END'
scalar: Float cannot represent non numeric value: Infinity
variable: refused
literal: Infinity
END
cmp output expected
