#!/bin/sh
# Version: opentelemetry-exporter-otlp-proto-http 1.45.2 (PyPI), Python 3.10 or later; @opentelemetry/exporter-trace-otlp-http
# 0.223.1 and @opentelemetry/sdk-trace-base 2.12.1 (npm), Node 20 or later
# Guessed: OTEL_EXPORTER_OTLP_TIMEOUT=1500 ends an export after 1.5 s in each language: the specification counts milliseconds.
# Really: the exporter for Python counts seconds, 25 minutes here, so that a program does not end while a collector takes its
# request and does not answer, where the one for Node gives up in time:
#   Node: ended within 8 s
#   Python: waits after 15 s
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit @opentelemetry/exporter-trace-otlp-http@0.223.1 @opentelemetry/sdk-trace-base@2.12.1 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check opentelemetry-sdk==1.45.2 opentelemetry-exporter-otlp-proto-http==1.45.2 >&2
cat > export.mjs <<'END'
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

const spanProcessors = [new SimpleSpanProcessor(new OTLPTraceExporter())];
const provider = new BasicTracerProvider({ spanProcessors });
provider.getTracer("example").startSpan("job").end();
await provider.shutdown();
process.exit(0);
END
cat > export.py <<'END'
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))
provider.get_tracer("example").start_span("job").end()
END
cat > watch.py <<'END'
import os, socket, subprocess, sys

collector = socket.create_server(("127.0.0.1", 0))
variables = {
    "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.getsockname()[1]}",
    "OTEL_EXPORTER_OTLP_TIMEOUT": "1500",
}
programs = (("Node", ["node", "export.mjs"], 8), ("Python", [sys.executable, "export.py"], 15))
for name, command, limit in programs:
    process = subprocess.Popen(command, env={**os.environ, **variables}, stderr=subprocess.DEVNULL)
    connection, _ = collector.accept()
    try:
        process.wait(limit)
        print(f"{name}: ended within {limit} s")
    except subprocess.TimeoutExpired:
        process.kill()
        print(f"{name}: waits after {limit} s")
END
environment/bin/python watch.py | tee output
cat > expected <<'END'
Node: ended within 8 s
Python: waits after 15 s
END
cmp output expected
