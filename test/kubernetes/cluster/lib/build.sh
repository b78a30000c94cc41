# Builds the programs of a cluster from their Go modules. They are cached outside the repository, by a digest of the
# sources, and removed after two weeks without use.

cache=${FREEHOLD_KUBERNETES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/freehold-kubernetes}

# find_programs: sets `bin` to the folder of the programs; fails if they are not built.
find_programs() {
  local digest
  digest=$(cd "$here/programs" && find . -type f | LC_ALL=C sort | xargs cat "$here/lib/build.sh" | sha256sum)
  bin=$cache/${digest:0:12}
  [ -e "$bin/complete" ] && touch "$bin"
}

# build_programs: the same, and builds them if they are missing.
build_programs() {
  local building
  find_programs && return 0
  command -v go >/dev/null || fail "go is required to build Kubernetes"
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock 9
  if [ ! -e "$bin/complete" ]; then
    echo "Building Kubernetes. This takes several minutes the first time." >&2
    building=$(mktemp -d "$cache/building.XXXXXX")
    if ! (cd "$here/programs" && compile "$building") >"$cache/build.log" 2>&1; then
      rm -rf "$building"
      tail -n 20 "$cache/build.log" >&2
      fail "the build failed: read $cache/build.log"
    fi
    touch "$building/complete"
    mv "$building" "$bin"
    find "$cache" -mindepth 1 -maxdepth 1 -type d -mtime +14 -exec rm -rf {} +
  fi
  exec 9>&-
}

# compile FOLDER
compile() {
  local version package flags
  version=$(sed -n 's/^\tk8s.io\/kubernetes //p' go.mod)
  package=k8s.io/component-base/version
  flags="-s -w -X $package.gitVersion=$version -X $package.gitTreeState=clean"
  flags+=" -X $package.gitMajor=1 -X $package.gitMinor=$(cut -d . -f 2 <<<"$version")"
  flags+=" -X k8s.io/client-go/pkg/version.gitVersion=$version"
  CGO_ENABLED=0 nice -n "${FREEHOLD_KUBERNETES_NICE:-5}" \
    go build -trimpath -buildvcs=false -ldflags "$flags" -o "$1/" ./kube ./helper ./pause tool && write_pause_image "$1"
}

# Writes an image archive, in the format of `docker save`, with the program `pause` alone.
write_pause_image() {
  local image digest
  image=$(mktemp -d)
  cp "$1/pause" "$image/pause"
  tar -C "$image" --owner 0 --group 0 -cf "$image/layer.tar" pause
  digest=$(sha256sum "$image/layer.tar" | cut -d ' ' -f 1)
  cat >"$image/config.json" <<END
{ "architecture": "$(go env GOARCH)", "os": "linux", "config": { "Entrypoint": ["/pause"] },
  "rootfs": { "type": "layers", "diff_ids": ["sha256:$digest"] } }
END
  echo '[{ "Config": "config.json", "RepoTags": ["freehold.local/pause:1"], "Layers": ["layer.tar"] }]' \
    >"$image/manifest.json"
  tar -C "$image" -cf "$1/pause.tar" manifest.json config.json layer.tar
  rm -rf "$image"
}
