// Package nats names the server that the benchmark builds.
package nats

import _ "github.com/nats-io/nats-server/v2/server"
