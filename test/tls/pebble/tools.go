//go:build tools

// Package tools keeps the program among the module's requirements.
package tools

import _ "github.com/letsencrypt/pebble/v2/cmd/pebble"
