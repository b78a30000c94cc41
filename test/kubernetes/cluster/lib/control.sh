#!/usr/bin/env bash
# The first process of the control plane's host: control.sh FOLDER HOST
here=$(dirname "$(dirname "$(realpath "$0")")")
. "$here/lib/common.sh"
load_cluster "$1"
host=$2
state=$folder/run/$host.d
pki=$folder/pki
mkdir -p "$state"
rm -f "$state"/*.off

hostname control
ip link set lo up
ip link add nodes type bridge
ip address add "$control_ip/24" dev nodes
ip link set nodes up
echo 1 >/proc/sys/net/ipv4/ip_forward
number=0
while read -r _; do
  number=$((number + 1))
  ip route add "$(pod_subnet $number)" via "$(node_ip $number)"
done <"$folder/nodes"
# Connections out of the cluster fail at once instead of timing out.
ip route add unreachable default

# The provisioner of host path volumes creates its folders in /tmp/hostpath_pv.
mount --bind "$folder/volumes" /tmp/hostpath_pv

supervise etcd "$bin/kube" etcd --name control --data-dir "$folder/etcd" --unsafe-no-fsync \
  --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
  --listen-peer-urls http://127.0.0.1:2380 --initial-advertise-peer-urls http://127.0.0.1:2380 \
  --initial-cluster control=http://127.0.0.1:2380 --log-level warn

supervise kube-apiserver "$bin/kube" kube-apiserver --etcd-servers http://127.0.0.1:2379 \
  --bind-address 0.0.0.0 --secure-port 6443 --advertise-address "$control_ip" \
  --tls-cert-file "$pki/apiserver.crt" --tls-private-key-file "$pki/apiserver.key" \
  --client-ca-file "$pki/ca.crt" --kubelet-certificate-authority "$pki/ca.crt" \
  --kubelet-client-certificate "$pki/to-kubelet.crt" --kubelet-client-key "$pki/to-kubelet.key" \
  --kubelet-preferred-address-types InternalIP \
  --service-account-issuer https://kubernetes.default.svc \
  --service-account-key-file "$pki/accounts.key" --service-account-signing-key-file "$pki/accounts.key" \
  --requestheader-client-ca-file "$pki/ca.crt" --requestheader-allowed-names front-proxy \
  --requestheader-username-headers X-Remote-User --requestheader-group-headers X-Remote-Group \
  --requestheader-extra-headers-prefix X-Remote-Extra- --enable-aggregator-routing \
  --proxy-client-cert-file "$pki/front-proxy.crt" --proxy-client-key-file "$pki/front-proxy.key" \
  --service-cluster-ip-range "$service_range" --authorization-mode Node,RBAC --allow-privileged \
  --enable-admission-plugins NodeRestriction --profiling=false \
  --feature-gates ResourceHealthStatus=true \
  --default-not-ready-toleration-seconds "$eviction_seconds" \
  --default-unreachable-toleration-seconds "$eviction_seconds"

supervise kube-controller-manager "$bin/kube" kube-controller-manager \
  --kubeconfig "$folder/config/controller-manager" --leader-elect=false --bind-address 127.0.0.1 \
  --authentication-kubeconfig "$folder/config/controller-manager" \
  --authorization-kubeconfig "$folder/config/controller-manager" \
  --root-ca-file "$pki/ca.crt" --service-account-private-key-file "$pki/accounts.key" \
  --cluster-signing-cert-file "$pki/ca.crt" --cluster-signing-key-file "$pki/ca.key" \
  --use-service-account-credentials --enable-hostpath-provisioner \
  --node-monitor-grace-period "${grace_seconds}s" --node-monitor-period 2s --profiling=false

supervise kube-scheduler "$bin/kube" kube-scheduler --kubeconfig "$folder/config/scheduler" \
  --authentication-kubeconfig "$folder/config/scheduler" \
  --authorization-kubeconfig "$folder/config/scheduler" \
  --leader-elect=false --bind-address 127.0.0.1 --profiling=false

# etcd ends last, because the others write to it until they end.
finish() {
  trap - TERM
  terminate kube-apiserver kube-controller-manager kube-scheduler
  sleep 0.5
  terminate etcd
  sleep 0.5
  exit 0
}
trap finish TERM
while :; do
  wait
  sleep 1
done
