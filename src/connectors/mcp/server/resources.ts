import type {
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  UriTemplate,
} from "@modelcontextprotocol/server";
import { ConfigurationError } from "../../../errors.ts";
import { toBase64 } from "../../../base/util/base64.ts";
import { appMimeType } from "../app-type.ts";
import type { Sdk } from "./sdk.ts";
import type {
  McpCompletion,
  McpRequest,
  McpResource,
  McpResourceContent,
  McpResourceEntry,
} from "./types.ts";

/** A resource that stands for many. */
interface Template {
  readonly resource: McpResource;
  readonly template: UriTemplate;
}

/** The resources of a server. */
export class OfferedResources {
  readonly #sdk: Sdk;
  readonly #fixed = new Map<string, McpResource>();
  readonly #templates: Template[] = [];

  /** @throws ConfigurationError if two have the same address. */
  constructor(sdk: Sdk, resources: readonly McpResource[]) {
    this.#sdk = sdk;
    for (const resource of resources) {
      if (sdk.UriTemplate.isTemplate(resource.uri)) {
        this.#templates.push({ resource, template: new sdk.UriTemplate(resource.uri) });
        continue;
      }
      if (this.#fixed.has(resource.uri)) {
        throw new ConfigurationError(`Two resources of serveMcp() have the address ${resource.uri}.`, {
          code: "name-clash",
        });
      }
      this.#fixed.set(resource.uri, resource);
    }
  }

  get isEmpty(): boolean {
    return this.#fixed.size === 0 && this.#templates.length === 0;
  }

  get canComplete(): boolean {
    return this.#templates.some(({ resource }) => resource.complete);
  }

  /** Those with an address of their own, and those that templates list. */
  async list(): Promise<Resource[]> {
    const listed = await Promise.all(
      this.#templates.map(async ({ resource: { list, mimeType } }) =>
        ((await list?.()) ?? []).map((entry) =>
          described({ ...(mimeType !== undefined && { mimeType }), ...entry }),
        ),
      ),
    );
    return [...[...this.#fixed.values()].map(described), ...listed.flat()];
  }

  templates(): ResourceTemplateType[] {
    return this.#templates.map(({ resource }) => {
      const { uri: uriTemplate, ...rest } = described(resource);
      return { uriTemplate, ...rest };
    });
  }

  /** @throws ResourceNotFoundError */
  async read(uri: string, request: McpRequest): Promise<ReadResourceResult> {
    const { resource, variables } = this.#find(uri);
    const content = await resource.read(variables, request);
    return { contents: contentsOf(content, uri, resource) };
  }

  /** @throws ProtocolError for an unknown template or variable. */
  completion(uri: string, variable: string): McpCompletion | undefined {
    const template = this.#templates.find(({ resource }) => resource.uri === uri);
    if (!template?.template.variableNames.includes(variable)) {
      const { ProtocolError, ProtocolErrorCode } = this.#sdk;
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no template "${uri}" with "${variable}".`,
      );
    }
    const { complete } = template.resource;
    return complete && Object.hasOwn(complete, variable) ? complete[variable] : undefined;
  }

  #find(uri: string): {
    readonly resource: McpResource;
    readonly variables: Readonly<Record<string, string>>;
  } {
    const fixed = this.#fixed.get(uri);
    if (fixed) return { resource: fixed, variables: {} };
    for (const { resource, template } of this.#templates) {
      const matched = template.match(uri);
      if (!matched) continue;
      const variables = Object.entries(matched).map(([name, value]) => [name, String(value)] as const);
      return { resource, variables: Object.fromEntries(variables) };
    }
    throw new this.#sdk.ResourceNotFoundError(uri);
  }
}

function described(resource: McpResourceEntry & Pick<McpResource, "title" | "ui">): Resource {
  const { uri, name = uri, title, description } = resource;
  const mimeType = mimeTypeOf(resource);
  return {
    uri,
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...metaOf(resource),
  };
}

/** Pages of apps have a type of their own. */
function mimeTypeOf({ uri, mimeType }: Pick<McpResource, "uri" | "mimeType">): string | undefined {
  return mimeType ?? (uri.startsWith("ui://") ? appMimeType : undefined);
}

/** Clients read it from the page itself, else from the list. */
function metaOf({ ui }: Pick<McpResource, "ui">): { readonly _meta?: { readonly ui: object } } {
  return ui ? { _meta: { ui: { ...ui } } } : {};
}

function contentsOf(
  content: McpResourceContent,
  uri: string,
  resource: McpResource,
): ReadResourceResult["contents"] {
  const all = typeof content === "string" || content instanceof Uint8Array ? [{ content }] : content;
  return all.map((each) => {
    const type = each.mimeType ?? mimeTypeOf(resource);
    const head = { uri: each.uri ?? uri, ...(type !== undefined && { mimeType: type }), ...metaOf(resource) };
    return typeof each.content === "string"
      ? { ...head, text: each.content }
      : { ...head, blob: toBase64(each.content) };
  });
}
