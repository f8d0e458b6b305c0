import { result } from "../../../tool/result.ts";
import { tool } from "../../../tool/define.ts";
import type { Tool } from "../../../tool/types.ts";
import { cleanText } from "../../../base/util/clean-text.ts";
import { toParts } from "./content.ts";
import type { McpListedResource, McpListedTemplate, McpResourceResult } from "./listed.ts";

/** The most resources that a model is shown at once. */
const mostListed = 200;

/** A server that has resources. */
export interface ResourceServer {
  readonly name: string;
  resources(): Promise<readonly McpListedResource[]>;
  resourceTemplates(): Promise<readonly McpListedTemplate[]>;
  readResource(uri: string, signal?: AbortSignal): Promise<McpResourceResult>;
}

/** Tools by which a model finds and reads the resources of a server. */
export function resourceTools(server: ResourceServer): readonly Tool[] {
  return [
    tool({
      name: "list_resources",
      description: `Lists the resources of ${server.name}: addresses that read_resource reads.`,
      input: { type: "object", properties: {}, additionalProperties: false },
      execute: () => list(server),
    }),
    tool<{ readonly uri: string }>({
      name: "read_resource",
      description: `Reads a resource of ${server.name}.`,
      input: {
        type: "object",
        properties: { uri: { type: "string", description: "Its address, as list_resources says it" } },
        required: ["uri"],
        additionalProperties: false,
      },
      execute: async ({ uri }, { signal }) =>
        result({ content: toParts(await server.readResource(uri, signal)) }),
    }),
  ] as const;
}

async function list(server: ResourceServer): Promise<object> {
  const [resources, templates] = await Promise.all([server.resources(), server.resourceTemplates()]);
  const about = (text: string | undefined): object => (text ? { description: cleanText(text, 300) } : {});
  const left = resources.length - mostListed;
  return {
    resources: resources.slice(0, mostListed).map(({ uri, name, description, mimeType }) => ({
      uri,
      name,
      ...about(description),
      ...(mimeType !== undefined && { mimeType }),
    })),
    ...(left > 0 && { note: `${left} more resources are left out` }),
    ...(templates.length > 0 && {
      templates: templates.slice(0, mostListed).map(({ uriTemplate, name, description }) => ({
        uriTemplate,
        name,
        ...about(description),
      })),
    }),
  };
}
