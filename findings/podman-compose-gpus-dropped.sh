#!/bin/sh
# Version: podman-compose 1.6.0 (PyPI), Python 3; a program in the place of Podman prints the devices that it is given
# Guessed: each way in which the Compose specification asks for GPUs becomes a device of the container, or an error.
# Really: a reservation for the driver nvidia does. `gpus`, the short form, and a reservation for the driver cdi are dropped
# without a word: the service starts without a GPU, and its program falls back to the CPU or fails later:
#   reservation: nvidia.com/gpu=0 nvidia.com/gpu=1
#   gpus-all: nothing
#   gpus-count: nothing
#   cdi: nothing
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check podman-compose==1.6.0 >&2
cat > podman <<'END'
#!/bin/sh
case "$*" in
  --version*) echo "podman version 5.6.0" ;;
  create*) echo "$*" >> created ;;
  ps*) echo "[]" ;;
esac
END
chmod +x podman
cat > compose.yaml <<'END'
services:
  reservation:
    image: localhost/llm
    deploy:
      resources:
        reservations:
          devices: [{driver: nvidia, count: 2, capabilities: [gpu]}]
  gpus-all:
    image: localhost/llm
    gpus: all
  gpus-count:
    image: localhost/llm
    gpus: [{driver: nvidia, count: 2}]
  cdi:
    image: localhost/llm
    deploy:
      resources:
        reservations:
          devices: [{driver: cdi, device_ids: ["nvidia.com/gpu=0"], capabilities: [gpu]}]
END
environment/bin/podman-compose --podman-path "$folder/podman" --project-name p up --no-start > log 2>&1
if grep -iE "gpu|device|warn" log; then exit 1; fi
for service in reservation gpus-all gpus-count cdi; do
  devices=$(grep -e "--name=p_${service}_1 " created | grep -oE 'device[= ][^ ]+' | sed -E 's/device[= ]//' | tr '\n' ' ')
  devices=${devices:-nothing}
  echo "$service: ${devices% }"
done | tee output
cat > expected <<'END'
reservation: nvidia.com/gpu=0 nvidia.com/gpu=1
gpus-all: nothing
gpus-count: nothing
cdi: nothing
END
cmp output expected
