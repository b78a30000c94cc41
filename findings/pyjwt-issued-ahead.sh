#!/bin/sh
# Version: PyJWT 2.15.1 and joserfc 1.8.0 (PyPI), Python 3.10 or later; jose 6.2.18 (npm), Node 20 or later
# Guessed: `iat` tells the age of a token and refuses none; `nbf` is the claim before which a token is not accepted (RFC 7519,
# 4.1.5 and 4.1.6).
# Really: the libraries for Python refuse a token until their clock has reached its `iat`. A sign-in fails where the clock of
# the identity provider is a few seconds ahead, unless the program sets a leeway; the library for Node accepts it:
#   PyJWT: ImmatureSignatureError
#   joserfc: InvalidClaimError
#   jose: accepted
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit jose@6.2.18 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check PyJWT==2.15.1 joserfc==1.8.0 >&2
cat > verify.mjs <<'END_OF_PROGRAM'
import { jwtVerify } from "jose";

const [token, key] = process.argv.slice(2);
const outcome = await jwtVerify(token, Buffer.from(key)).then(
  () => "accepted",
  (error) => error.constructor.name,
);
console.log("jose:", outcome);
END_OF_PROGRAM
cat > verify.py <<'END_OF_PROGRAM'
import subprocess, time
import jwt
import joserfc.jwk, joserfc.jwt

KEY = "a key of thirty-two bytes, or so"
now = int(time.time())
token = jwt.encode({"sub": "ada", "iat": now + 60, "exp": now + 600}, KEY, algorithm="HS256")

def outcome(verify):
    try:
        verify()
        return "accepted"
    except Exception as error:
        return type(error).__name__

def by_joserfc():
    claims = joserfc.jwt.decode(token, joserfc.jwk.import_key(KEY, "oct")).claims
    joserfc.jwt.JWTClaimsRegistry().validate(claims)

print("PyJWT:", outcome(lambda: jwt.decode(token, KEY, algorithms=["HS256"])))
print("joserfc:", outcome(by_joserfc), flush=True)
subprocess.run(["node", "verify.mjs", token, KEY], check=True)
END_OF_PROGRAM
environment/bin/python verify.py | tee output
cat > expected <<'END_OF_OUTPUT'
PyJWT: ImmatureSignatureError
joserfc: InvalidClaimError
jose: accepted
END_OF_OUTPUT
cmp output expected
