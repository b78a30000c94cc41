#!/bin/sh
# Version: @urql/core 6.0.3, and @apollo/client 4.3.8 with graphql 16.14.0 and rxjs 7.8.2 (npm), Node 20 or later
# Guessed: a GraphQL client sends queries and mutations by POST unless it is told otherwise; a server need not support GET
# (GraphQL over HTTP: a server MUST accept POST, and MAY accept other methods).
# Really: urql sends each query whose URL is shorter than 2,048 characters by GET, so that a server or a proxy that takes POST
# alone refuses short queries and answers long ones, and queries with their variables are in access logs:
#   Apollo Client: POST, long POST, mutation POST
#   urql: GET, long POST, mutation POST
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit @urql/core@6.0.3 @apollo/client@4.3.8 graphql@16.14.0 rxjs@7.8.2 >&2
cat > ask.mjs <<'END_OF_PROGRAM'
import http from "node:http";
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client/core/index.js";
import { Client, fetchExchange } from "@urql/core";

let methods = [];
const server = http.createServer((request, response) => {
  methods.push(request.method);
  response.setHeader("content-type", "application/json");
  response.end('{"data":{"a":"b"}}');
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/graphql`;

const QUERY = "query A($text: String) { a(text: $text) }";
const LONG = { text: "x".repeat(3000) };
const MUTATION = "mutation { a }";

const report = (name) => {
  const [short, long, mutation] = methods;
  console.log(`${name}: ${short}, long ${long}, mutation ${mutation}`);
  methods = [];
};

const apollo = new ApolloClient({ link: new HttpLink({ uri: address }), cache: new InMemoryCache() });
await apollo.query({ query: gql(QUERY), variables: { text: "x" } });
await apollo.query({ query: gql(QUERY), variables: LONG });
await apollo.mutate({ mutation: gql(MUTATION) });
report("Apollo Client");

const urql = new Client({ url: address, exchanges: [fetchExchange] });
await urql.query(QUERY, { text: "x" }).toPromise();
await urql.query(QUERY, LONG).toPromise();
await urql.mutation(MUTATION, {}).toPromise();
report("urql");
server.close();
server.closeAllConnections();
END_OF_PROGRAM
node ask.mjs | tee output
cat > expected <<'END_OF_OUTPUT'
Apollo Client: POST, long POST, mutation POST
urql: GET, long POST, mutation POST
END_OF_OUTPUT
cmp output expected
