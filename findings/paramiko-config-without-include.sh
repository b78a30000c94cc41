#!/bin/sh
# Version: paramiko 5.1.0 and asyncssh 2.24.0 (PyPI), Python 3.10 or later; OpenSSH's ssh
# Guessed: a host of a file that ~/.ssh/config includes is known to each library that reads such files, as it is to ssh.
# Really: paramiko keeps the line "Include" as an option of the host and opens no file, without an error, so that a program on
# it goes to the name itself, at port 22. Tools that add their hosts in a file of their own are known to the others:
#   ssh: 10.0.0.1 port 2222
#   asyncssh: 10.0.0.1 port 2222
#   paramiko: pod port 22
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check paramiko==5.1.0 asyncssh==2.24.0 >&2
printf 'Host pod\n  HostName 10.0.0.1\n  Port 2222\n' > hosts
printf 'Include %s/hosts\n' "$folder" > config
cat > look.py <<'END'
import asyncssh, paramiko

options = asyncssh.SSHClientConnectionOptions(config="config", host="pod")
print(f"asyncssh: {options.host} port {options.port}")
options = paramiko.SSHConfig.from_path("config").lookup("pod")
print(f"paramiko: {options['hostname']} port {options.get('port', 22)}")
END
{
  ssh -T -G -F config pod | awk '$1 == "hostname" || $1 == "port" { found[$1] = $2 }
    END { print "ssh: " found["hostname"] " port " found["port"] }'
  environment/bin/python look.py
} | tee output
cat > expected <<'END'
ssh: 10.0.0.1 port 2222
asyncssh: 10.0.0.1 port 2222
paramiko: pod port 22
END
cmp output expected
