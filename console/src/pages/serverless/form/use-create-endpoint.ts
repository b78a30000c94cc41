// Creates an endpoint together with a template of its own.

import type { Schema } from "../../../api/client.ts";
import { useWrite } from "../../../api/use-write.ts";

type Template = Schema["TemplateCreateInput"];
type Endpoint = Schema["EndpointCreateInput"];

export function useCreateEndpoint() {
  const createTemplate = useWrite("post", "/v1/templates");
  const deleteTemplate = useWrite("delete", "/v1/templates/{templateId}");
  const { run: createEndpoint } = useWrite("post", "/v1/endpoints", {
    success: ({ name, id }) => `Endpoint ${name || id} created`,
  });
  const createWithTemplate = async (template: Template, endpoint: (id: string) => Endpoint) => {
    const { id: templateId } = await createTemplate.run({ body: template });
    try {
      return await createEndpoint({ body: endpoint(templateId) });
    } catch (error) {
      // The template was created for this endpoint alone.
      await deleteTemplate.run({ params: { path: { templateId } } }).catch(() => {});
      throw error;
    }
  };
  return { create: (body: Endpoint) => createEndpoint({ body }), createWithTemplate };
}
