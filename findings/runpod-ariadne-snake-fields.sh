#!/usr/bin/env bash
# Version: runpod-ariadne 0.1.0 and graphql-core 3.2.6 (PyPI), Python 3.10 or later
# Guessed: the client generated from Runpod's schema writes the schema's names, so that it can ask for the price of a GPU type.
# Really: its fields without arguments have the schema's names, but those with a selection of their own are written in snake
# case, the name of their Python method: `lowest_price`, `network_volume`, `container_registry_creds`. No server can answer
# them, whatever it serves; the queries of the same classes without such fields work:
#   sent: query q { gpuTypes { displayName lowest_price { stockStatus } } }
#   Cannot query field 'lowest_price' on type 'GpuType'. Did you mean 'lowestPrice'?
#   Pod: cpu_flavor latest_telemetry network_volume savings_plans
# It matters if you use the package as a typed client: ask for such fields with `client.execute` and a document of
# your own. ariadne-codegen 0.19.0, which generates such clients, writes the schema's names.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check runpod-ariadne==0.1.0 graphql-core==3.2.6 \
  httpx==0.28.1 pydantic==2.12.5 websockets==15.0.1 >&2
cat > ask.py <<'END'
import asyncio, inspect, json, re
import httpx
from graphql import build_schema, parse, validate
from runpod_ariadne import Client
from runpod_ariadne.custom_fields import GpuTypeFields, LowestPriceFields, PodFields
from runpod_ariadne.custom_queries import Query

sent = []

def answer(request):
    sent.append(json.loads(request.content)["query"])
    return httpx.Response(200, json={"data": {}})

async def ask():
    transport = httpx.MockTransport(answer)
    client = Client(url="http://localhost", http_client=httpx.AsyncClient(transport=transport))
    price = GpuTypeFields.lowest_price().fields(LowestPriceFields.stock_status)
    await client.query(
        Query.gpu_types().fields(GpuTypeFields.display_name, price), operation_name="q"
    )

asyncio.run(ask())
print("sent:", " ".join(sent[0].split()))
schema = build_schema("""
  type Query { gpuTypes: [GpuType] }
  type GpuType { displayName: String lowestPrice: LowestPrice }
  type LowestPrice { stockStatus: String }
""")
for error in validate(schema, parse(sent[0])):
    print(error.message)
print("Pod:", *sorted(set(re.findall(r'"([a-z]+_[a-z_]+)"', inspect.getsource(PodFields)))))
END
environment/bin/python ask.py | tee output
cat > expected <<'END'
sent: query q { gpuTypes { displayName lowest_price { stockStatus } } }
Cannot query field 'lowest_price' on type 'GpuType'. Did you mean 'lowestPrice'?
Pod: cpu_flavor latest_telemetry network_volume savings_plans
END
cmp output expected
