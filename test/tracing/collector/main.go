// An OpenTelemetry Collector for the tests: it receives OTLP, and appends what it received to a file as OTLP JSON.
package main

import (
	"context"
	"log"
	"os"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry"
)

type fileConfig struct {
	Path string `mapstructure:"path"`
}

type fileExporter struct {
	component.StartFunc
	component.ShutdownFunc
	path  string
	mutex sync.Mutex
}

func (*fileExporter) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

func (e *fileExporter) ConsumeTraces(_ context.Context, traces ptrace.Traces) error {
	text, err := (&ptrace.JSONMarshaler{}).MarshalTraces(traces)
	if err != nil {
		return err
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	file, err := os.OpenFile(e.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.Write(append(text, '\n'))
	return err
}

func newFileExporter(_ context.Context, _ exporter.Settings, config component.Config) (exporter.Traces, error) {
	return &fileExporter{path: config.(*fileConfig).Path}, nil
}

func factories() (otelcol.Factories, error) {
	files := exporter.NewFactory(
		component.MustNewType("file"),
		func() component.Config { return &fileConfig{} },
		exporter.WithTraces(newFileExporter, component.StabilityLevelStable),
	)
	receivers, err := otelcol.MakeFactoryMap[receiver.Factory](otlpreceiver.NewFactory())
	if err != nil {
		return otelcol.Factories{}, err
	}
	exporters, err := otelcol.MakeFactoryMap[exporter.Factory](files)
	none := func() component.Config { return &struct{}{} }
	return otelcol.Factories{Receivers: receivers, Exporters: exporters, Telemetry: telemetry.NewFactory(none)}, err
}

func main() {
	settings := otelcol.CollectorSettings{
		BuildInfo: component.BuildInfo{Command: "collector", Version: "0"},
		Factories: factories,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{
			ResolverSettings: confmap.ResolverSettings{
				DefaultScheme:     "file",
				ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory()},
			},
		},
	}
	if err := otelcol.NewCommand(settings).Execute(); err != nil {
		log.Fatal(err)
	}
}
