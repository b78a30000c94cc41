#!/bin/sh
# Waits until its standard input ends, as it does however the process at the other end ends. Then it stops the PostgreSQL
# servers in the folders below the given one, and removes that. Usage: sh guard.sh FOLDER
cat >/dev/null
for file in "$1"/*/data/postmaster.pid; do
  [ -e "$file" ] && kill -QUIT "$(head -n 1 "$file")" 2>/dev/null || continue
  tries=0
  while [ -e "$file" ] && [ "$tries" -lt 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
done
rm -rf "$1"
