#!/bin/sh
# Waits until its standard input ends, as it does however the process at the other end ends. Then it stops the PostgreSQL
# servers in the folders below the given one, and removes that. Usage: sh guard.sh FOLDER
cat >/dev/null
for file in "$1"/*/data/postmaster.pid; do
  [ -e "$file" ] || continue
  pid=$(head -n 1 "$file")
  kill -QUIT "$pid" 2>/dev/null
  tries=0
  while [ -e "$file" ] && [ "$tries" -lt 300 ] && kill -0 "$pid" 2>/dev/null; do
    sleep 0.1
    tries=$((tries + 1))
  done
done
rm -rf "$1"
