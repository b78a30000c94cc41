//go:build tools

// Package s5cmd pins the S3 client that the tests build.
package s5cmd

import _ "github.com/peak/s5cmd/v2"
