#!/bin/sh
# Version: standardwebhooks 1.1.0 (PyPI), Python 3; standardwebhooks 1.1.1 (npm), Node 20 or later; the module for Go,
# github.com/standard-webhooks/standard-webhooks/libraries v0.0.1, Go 1.24 or later
# Guessed: the libraries of one project agree on which secrets they take; one whose base64 lacks its padding is refused by all.
# Really: Python and Node add the padding and sign alike, Go refuses the secret. Whether a sender's secret works depends on the
# language of the receiver, and on its length in bytes, of which only multiples of three have no padding:
#   Python: v1,gmqNexnomHKTb5jOTYYApWyvrxGanx6exQC0ddAOjvU=
#   Node: v1,gmqNexnomHKTb5jOTYYApWyvrxGanx6exQC0ddAOjvU=
#   Go: refused
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit standardwebhooks@1.1.1 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check standardwebhooks==1.1.0 >&2
cat > sign.py <<'END'
import sys
from datetime import datetime, timezone
from standardwebhooks.webhooks import Webhook

print("Python:", Webhook(sys.argv[1]).sign("m", datetime(2027, 1, 1, tzinfo=timezone.utc), "{}"))
END
cat > sign.mjs <<'END'
import { Webhook } from "standardwebhooks";

console.log("Node:", new Webhook(process.argv[2]).sign("m", new Date("2027-01-01T00:00:00Z"), "{}"));
END
cat > main.go <<'END'
package main

import (
	"fmt"
	"os"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Args[1])
	if err != nil {
		fmt.Println("Go: refused")
		return
	}
	signature, err := webhook.Sign("m", time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), []byte("{}"))
	if err != nil {
		panic(err)
	}
	fmt.Println("Go:", signature)
}
END
go mod init example >/dev/null 2>&1
go get github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1 >/dev/null 2>&1
secret=whsec_a2tra2tra2tra2tra2tra2tra2tra2tra2tra2traw
{ environment/bin/python sign.py "$secret"; node sign.mjs "$secret"; go run main.go "$secret"; } | tee output
cat > expected <<'END'
Python: v1,gmqNexnomHKTb5jOTYYApWyvrxGanx6exQC0ddAOjvU=
Node: v1,gmqNexnomHKTb5jOTYYApWyvrxGanx6exQC0ddAOjvU=
Go: refused
END
cmp output expected
