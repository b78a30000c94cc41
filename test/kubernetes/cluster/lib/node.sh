#!/usr/bin/env bash
# The first process of a node's host: node.sh FOLDER HOST NUMBER DESCRIPTION
here=$(dirname "$(dirname "$(realpath "$0")")")
. "$here/lib/common.sh"
load_cluster "$1"
host=$2 number=$3 description=$4
data=$folder/node-data/$host
cgroup=/freehold-test-$id/$host
mkdir -p "$data"/{containerd,kubelet,cni,log}

gpus=0 product=NVIDIA-H100-80GB-HBM3 memory=81559 labels=
IFS=, read -ra fields <<<"$description"
for field in "${fields[@]:1}"; do
  case $field in
    gpus=*) gpus=${field#*=} ;;
    product=*) product=${field#*=} ;;
    memory=*) memory=${field#*=} ;;
    label=*) labels+=",${field#*=}" ;;
  esac
done
if [ "$gpus" -gt 0 ]; then
  labels+=",nvidia.com/gpu.present=true,nvidia.com/gpu.count=$gpus"
  labels+=",nvidia.com/gpu.product=$product,nvidia.com/gpu.memory=$memory"
fi

# Each node has its own /run, /var/lib/kubelet, /var/lib/cni and /var/log.
mount --make-rshared /
mount -t tmpfs -o mode=755 tmpfs /run
state=/run/programs
mkdir -p /run/lock /run/kubelet-plugins /run/net.d "$state"
mount --bind "$folder/volumes" /tmp/hostpath_pv
mount --bind "$data/kubelet" /var/lib/kubelet
mount --bind "$data/cni" /var/lib/cni
mount --bind "$data/log" /var/log
hostname "$host"
# There is no name server, and a query to a closed port fails at once.
echo "nameserver 127.0.0.1" >/run/resolv.conf
mount --bind /run/resolv.conf "$(realpath /etc/resolv.conf)"

# The kubelet changes kernel settings of the whole machine unless they already have its values.
show_setting() {
  echo "$2" >"/run/${1//\//.}"
  mount --bind "/run/${1//\//.}" "/proc/sys/$1"
}
show_setting vm/overcommit_memory 1
show_setting vm/panic_on_oom 0
show_setting kernel/panic 10
show_setting kernel/panic_on_oops 1
show_setting kernel/keys/root_maxkeys 1000000
show_setting kernel/keys/root_maxbytes 25000000

ip link set lo up
wait_for 30 ip link show eth0 || fail "$host has no network link"
ip address add "$(node_ip "$number")/24" dev eth0
ip link set eth0 up
ip route add default via "$control_ip"
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 1 >/proc/sys/net/bridge/bridge-nf-call-iptables 2>/dev/null

for root in $(cgroup_roots); do
  mkdir -p "$root$cgroup"
  if [ -e "$root/cgroup.subtree_control" ]; then
    for controller in cpu cpuset memory pids io hugetlb; do
      echo "+$controller" >"$root${cgroup%/*}/cgroup.subtree_control"
      echo "+$controller" >"$root$cgroup/cgroup.subtree_control"
    done 2>/dev/null
  fi
done

snapshotter=overlayfs
[ "$(stat -f -c %T "$data")" = overlayfs ] && snapshotter=native

# Root without CAP_SYS_RESOURCE cannot lower an OOM score, and then containers would not start.
restrict_oom_score=true
(echo -998 >/proc/self/oom_score_adj) 2>/dev/null && restrict_oom_score=false

cat >/run/net.d/10-pods.conflist <<END
{ "cniVersion": "1.0.0", "name": "pods", "plugins": [
  { "type": "bridge", "bridge": "cni0", "isGateway": true, "hairpinMode": true,
    "ipam": { "type": "host-local", "dataDir": "/run/addresses",
      "ranges": [[{ "subnet": "$(pod_subnet "$number")" }]], "routes": [{ "dst": "0.0.0.0/0" }] } },
  { "type": "portmap", "capabilities": { "portMappings": true } } ] }
END
cat >/run/containerd.toml <<END
version = 2
root = "$data/containerd"
state = "/run/containerd"
[grpc]
  address = "$containerd_socket"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "freehold.local/pause:1"
  restrict_oom_score_adj = $restrict_oom_score
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$bin"
    conf_dir = "/run/net.d"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "$folder/registries"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "$snapshotter"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
END
cat >/run/kubelet.yaml <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: "$folder/pki/ca.crt" } }
authorization: { mode: Webhook }
tlsCertFile: $folder/pki/$host.crt
tlsPrivateKeyFile: $folder/pki/$host.key
containerRuntimeEndpoint: unix://$containerd_socket
cgroupDriver: cgroupfs
cgroupRoot: $cgroup
featureGates: { ResourceHealthStatus: true }
failCgroupV1: false
failSwapOn: false
resolvConf: ""
clusterDomain: cluster.local
volumePluginDir: /run/kubelet-plugins
imageGCHighThresholdPercent: 100
evictionHard: { memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1% }
nodeLeaseDurationSeconds: $grace_seconds
nodeStatusUpdateFrequency: $((grace_seconds / 4))s
syncFrequency: 20s
serializeImagePulls: false
shutdownGracePeriod: 0s
END
cat >/run/kube-proxy.yaml <<END
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
clusterCIDR: $pod_range
hostnameOverride: $host
clientConnection: { kubeconfig: "$folder/config/proxy" }
conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s }
END

supervise containerd containerd --config /run/containerd.toml
wait_for 60 ctr --address $containerd_socket version || fail "containerd does not answer"
ctr --address $containerd_socket --namespace k8s.io images import "$bin/pause.tar"

supervise kubelet "$bin/kube" kubelet --config /run/kubelet.yaml --kubeconfig "$folder/config/$host" \
  --hostname-override "$host" --node-ip "$(node_ip "$number")" --root-dir /var/lib/kubelet \
  --node-labels "${labels#,}"
supervise kube-proxy "$bin/kube" kube-proxy --config /run/kube-proxy.yaml
programs="kubelet kube-proxy containerd"
if [ "$gpus" -gt 0 ]; then
  mkdir -p /var/lib/kubelet/device-plugins
  supervise gpus "$bin/helper" gpus nvidia.com/gpu "$gpus"
  programs+=" gpus"
fi

finish() {
  trap - TERM
  terminate $programs
  exit 0
}
trap finish TERM
while :; do
  wait
  sleep 1
done
