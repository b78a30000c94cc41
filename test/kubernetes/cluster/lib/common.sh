# Functions that all commands share. `here` is the folder of the commands.

fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# The control plane and each node have a network namespace. Nothing outside the cluster is reachable from them.
control_ip=172.30.0.1
node_ip() { echo "172.30.0.$((10 + $1))"; }
pod_subnet() { echo "10.244.$1.0/24"; }
pod_range=10.244.0.0/16
service_range=10.96.0.0/16
api_service_ip=10.96.0.1
containerd_socket=/run/containerd/containerd.sock

# A process id is reused, so a pid file holds the start time of its process too.
start_time() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- ${stat##*) }
  echo "${20}"
}
write_pid() { echo "$2 $(start_time "$2")" >"$1"; }
running_pid() {
  local pid start
  read -r pid start 2>/dev/null <"$1" || return 1
  [ -n "$start" ] && [ "$(start_time "$pid")" = "$start" ] && echo "$pid"
}
has_ended() { ! running_pid "$1" >/dev/null; }

# wait_for SECONDS COMMAND...: runs the command until it succeeds.
wait_for() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $deadline ] || return 1
    sleep 0.1
  done
}

# The first process of a host's PID namespace. All processes of the host end with it.
init_of() {
  local pid init
  pid=$(running_pid "$folder/run/$1.pid") || return 1
  init=$(pgrep -P "$pid") && echo "$init"
}

# start_host NAME SCRIPT ARGUMENT...: runs a script as the first process of new namespaces.
start_host() {
  local name=$1 script=$2
  shift 2
  running_pid "$folder/run/$name.pid" >/dev/null && return 0
  setsid unshare --net --pid --mount --uts --ipc --fork --mount-proc --kill-child=SIGKILL -- \
    bash "$script" "$folder" "$name" "$@" </dev/null >>"$folder/log/$name.log" 2>&1 9>&- &
  write_pid "$folder/run/$name.pid" $!
  wait_for 20 init_of "$name" || fail "$name does not start: read $folder/log/$name.log"
}

# stop_host NAME SECONDS: sends SIGTERM, and SIGKILL after the given time.
stop_host() {
  local pid init
  pid=$(running_pid "$folder/run/$1.pid") || return 0
  if init=$(init_of "$1") && [ "$2" -gt 0 ]; then
    kill -TERM "$init" 2>/dev/null
    wait_for "$2" has_ended "$folder/run/$1.pid" && return 0
  fi
  if init=$(init_of "$1"); then kill -KILL "$init" 2>/dev/null; fi
  wait_for 5 has_ended "$folder/run/$1.pid" && return 0
  kill -KILL "$pid" 2>/dev/null
  wait_for 10 has_ended "$folder/run/$1.pid"
}

# on_host NAME COMMAND...: runs a command in the namespaces of a host.
on_host() {
  local init
  init=$(init_of "$1") || fail "$1 is not running"
  shift
  nsenter --target "$init" --net --pid --mount --uts --ipc -- "$@"
}

# supervise NAME COMMAND...: restarts the command when it ends, unless $state/NAME.off exists.
supervise() {
  local name=$1
  shift
  (
    while :; do
      if [ ! -e "$state/$name.off" ]; then
        "$@" >>"$folder/log/$host-$name.log" 2>&1 &
        echo $! >"$state/$name.pid"
        wait $!
      fi
      sleep 0.3
    done
  ) &
}

# terminate NAME...: stops supervised programs for good.
terminate() {
  local name
  for name; do touch "$state/$name.off"; done
  for name; do kill "$(cat "$state/$name.pid" 2>/dev/null)" 2>/dev/null; done
}

cgroup_roots() {
  local root
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    echo /sys/fs/cgroup
    return
  fi
  for root in /sys/fs/cgroup/*/; do
    [ -e "$root/cgroup.procs" ] && echo "${root%/}"
  done
}

remove_cgroups() {
  local root
  for root in $(cgroup_roots); do
    [ -d "$root/$1" ] && find "$root/$1" -depth -type d -exec rmdir {} + 2>/dev/null
  done
  return 0
}

load_cluster() {
  folder=$(realpath -m "$1")
  [ -e "$folder/cluster" ] && . "$folder/cluster"
}

node_names() { cut -d , -f 1 "$folder/nodes"; }
kubectl() { "$bin/kube" kubectl --kubeconfig "$folder/kubeconfig" "$@"; }

# boot_node NAME: starts the node's host and connects it to the network of the control plane.
boot_node() {
  local line control
  line=$(grep -n "^$1\(,\|$\)" "$folder/nodes" | head -n 1)
  [ -n "$line" ] || fail "there is no node $1"
  start_host "$1" "$here/lib/node.sh" "${line%%:*}" "${line#*:}"
  control=$(init_of control)
  # When a node is killed, both ends of its link go with its network namespace.
  nsenter --target "$control" --net ip link show "to-$1" >/dev/null 2>&1 && return 0
  nsenter --target "$control" --net \
    ip link add "to-$1" type veth peer name eth0 netns "$(init_of "$1")" || fail "cannot connect $1"
  nsenter --target "$control" --net ip link set "to-$1" master nodes up
}

has_gpus() {
  local count
  count=$(kubectl get node "$1" -o 'jsonpath={.status.allocatable.nvidia\.com/gpu}')
  [ "${count:-0}" -gt 0 ]
}
