// The address of the S3 interface, and those of the network volumes.

import { Link } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Code, Copyable } from "../../components/control/copy.tsx";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";

export function Buckets() {
  const { s3Url } = useSession();
  const { data: volumes = [] } = api.useQuery("get", "/v1/networkvolumes");
  if (s3Url === null) {
    return (
      <Card title="Addresses" className="mt-6">
        <p className="text-sm text-muted">The S3 interface of this service is off.</p>
      </Card>
    );
  }
  const [first] = volumes;
  return (
    <Card title="Addresses" className="mt-6">
      <Facts>
        <Fact name={<span className="leading-8">Endpoint</span>}>
          <Copyable text={s3Url} />
        </Fact>
        {volumes.map(({ id, name }) => (
          <Fact
            key={id}
            name={
              <Link
                to="/storage/$volumeId/files/$"
                params={{ volumeId: id, _splat: "" }}
                className="leading-8 underline"
              >
                {name}
              </Link>
            }
          >
            <Copyable text={`s3://${id}`} />
          </Fact>
        ))}
      </Facts>
      {first && (
        <Code className="mt-4" text={`aws --endpoint-url ${s3Url} s3 ls s3://${first.id}/`} />
      )}
    </Card>
  );
}
