import type {
  Client,
  RequestOptions,
  StandardSchemaV1,
  Tool as RemoteTool,
} from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../base/util/json.ts";
import { cleanName } from "./clean-text.ts";
import { mostPages } from "./limits.ts";
import type { Sdk } from "./sdk.ts";
import type { ServerScope } from "./scope.ts";

/** Accepts every result. */
const anything: StandardSchemaV1<unknown> = {
  "~standard": { version: 1, vendor: "skein", validate: (value) => ({ value }) },
};

/**
 * The tools of a server as it describes them. Where one of them is malformed the SDK takes none: then those that are not
 * are taken, and the others reported.
 */
export async function listRemote(
  sdk: Sdk,
  client: Client,
  options: RequestOptions,
  scope: ServerScope,
): Promise<readonly RemoteTool[]> {
  try {
    return (await client.listTools(undefined, { ...options, cacheMode: "refresh" })).tools;
  } catch (error) {
    if (!(error instanceof sdk.SdkError) || error.code !== sdk.SdkErrorCode.InvalidResult) throw error;
  }
  return (await listRaw(client, options)).filter((tool): tool is RemoteTool => {
    const isTool = sdk.isSpecType.Tool(tool);
    if (!isTool) {
      const name =
        isPlainObject(tool) && typeof tool["name"] === "string" ? ` "${cleanName(tool["name"])}"` : "";
      scope.warn(`The MCP server "${scope.server}" lists a malformed tool${name}, which is left out.`);
    }
    return isTool;
  });
}

async function listRaw(client: Client, options: RequestOptions): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: "tools/list", params }, anything, options);
    if (!isPlainObject(result) || !Array.isArray(result["tools"])) break;
    tools.push(...result["tools"]);
    if (typeof result["nextCursor"] !== "string") break;
    cursor = result["nextCursor"];
  }
  return tools;
}
