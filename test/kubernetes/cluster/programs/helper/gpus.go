package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

// simulatedGPUs is a device plugin without devices. The kubelet counts its GPUs, gives each to one container only, and
// names them in NVIDIA_VISIBLE_DEVICES. The indices in a file `unhealthy` of the plugin folder are reported as unhealthy.
type simulatedGPUs struct {
	api.UnimplementedDevicePluginServer
	node  string
	count int
}

// gpus RESOURCE COUNT
func gpus(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: gpus RESOURCE COUNT")
	}
	count, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	node, err := os.Hostname()
	if err != nil {
		return err
	}
	plugin := &simulatedGPUs{node: node, count: count}
	for {
		if err := plugin.serve(args[0], filepath.Join(api.DevicePluginPath, "simulated-gpus.sock")); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		time.Sleep(time.Second)
	}
}

// serve returns when the socket is gone: a kubelet that restarts removes all sockets and forgets its plugins.
func (p *simulatedGPUs) serve(resource, socket string) error {
	_ = os.Remove(socket)
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, p)
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	if err := register(resource, socket); err != nil {
		return err
	}
	fmt.Println("registered", p.count, resource)
	for {
		time.Sleep(time.Second)
		if _, err := os.Stat(socket); err != nil {
			return nil
		}
	}
}

func register(resource, socket string) error {
	kubelet, err := grpc.NewClient("unix://"+api.KubeletSocket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer kubelet.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	request := &api.RegisterRequest{Version: api.Version, Endpoint: filepath.Base(socket), ResourceName: resource}
	_, err = api.NewRegistrationClient(kubelet).Register(ctx, request)
	return err
}

func (p *simulatedGPUs) devices() []*api.Device {
	text, _ := os.ReadFile(filepath.Join(api.DevicePluginPath, "unhealthy"))
	unhealthy := map[string]bool{}
	for _, index := range strings.Fields(string(text)) {
		unhealthy[index] = true
	}
	devices := make([]*api.Device, p.count)
	for n := range devices {
		health := api.Healthy
		if unhealthy[strconv.Itoa(n)] {
			health = api.Unhealthy
		}
		devices[n] = &api.Device{ID: fmt.Sprintf("GPU-%s-%d", p.node, n), Health: health}
	}
	return devices
}

func (p *simulatedGPUs) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

func (p *simulatedGPUs) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	reported := ""
	for {
		devices := p.devices()
		if text := fmt.Sprint(devices); text != reported {
			if err := stream.Send(&api.ListAndWatchResponse{Devices: devices}); err != nil {
				return err
			}
			reported = text
		}
		select {
		case <-stream.Context().Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

func (p *simulatedGPUs) Allocate(_ context.Context, request *api.AllocateRequest) (*api.AllocateResponse, error) {
	response := &api.AllocateResponse{}
	for _, container := range request.ContainerRequests {
		response.ContainerResponses = append(response.ContainerResponses, &api.ContainerAllocateResponse{
			Envs: map[string]string{"NVIDIA_VISIBLE_DEVICES": strings.Join(container.DevicesIds, ",")},
		})
	}
	return response, nil
}
