import type {
  Client,
  RequestOptions,
  StandardSchemaV1,
  Tool as RemoteTool,
} from "@modelcontextprotocol/client";
import { isDeeperThan } from "../../../base/util/is-deeper-than.ts";
import { isPlainObject } from "../../../base/util/json.ts";
import { cleanName } from "../../../base/util/clean-text.ts";
import { mostPages } from "./limits.ts";
import type { Sdk } from "./sdk.ts";
import type { ServerScope } from "./scope.ts";

/** How many objects and lists of a tool may be one within the other: what walks them further on must not run out of stack. */
const mostLevels = 500;

/** Accepts every result. */
const anything: StandardSchemaV1<unknown> = {
  "~standard": { version: 1, vendor: "skein", validate: (value) => ({ value }) },
};

/**
 * The tools of a server as it describes them. Where one of them is malformed the SDK takes none: then those that are not
 * are taken, and the others reported.
 * @throws TypeError for an answer that is not a list of tools.
 */
export async function listRemote(
  sdk: Sdk,
  client: Client,
  options: RequestOptions,
  scope: ServerScope,
): Promise<readonly RemoteTool[]> {
  const { server, warn } = scope;
  const isFlat = (tool: unknown): boolean => {
    const isDeep = isDeeperThan(tool, mostLevels);
    if (isDeep)
      warn(`The tool${nameOf(tool)} of the MCP server "${server}" is nested too deeply: it is left out.`);
    return !isDeep;
  };
  try {
    const { tools } = await client.listTools(undefined, { ...options, cacheMode: "refresh" });
    return tools.filter(isFlat);
  } catch (error) {
    const isMalformed = error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.InvalidResult;
    // The SDK's check of what is nested deeply runs out of stack.
    if (!isMalformed && !(error instanceof RangeError)) throw error;
  }
  const listed = await listRaw(client, options);
  if (listed.length > 0 && !listed.some(isPlainObject))
    throw new TypeError("its answer to tools/list is malformed: the tools in it must be objects");
  return listed.filter(isFlat).filter((tool): tool is RemoteTool => {
    const isTool = sdk.isSpecType.Tool(tool);
    if (!isTool) warn(`The MCP server "${server}" lists a malformed tool${nameOf(tool)}, which is left out.`);
    return isTool;
  });
}

function nameOf(tool: unknown): string {
  return isPlainObject(tool) && typeof tool["name"] === "string" ? ` "${cleanName(tool["name"])}"` : "";
}

async function listRaw(client: Client, options: RequestOptions): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: "tools/list", params }, anything, options);
    if (!isPlainObject(result) || !Array.isArray(result["tools"]))
      throw new TypeError("its answer to tools/list is malformed: it must be an object with a list of tools");
    for (const tool of result["tools"]) tools.push(tool);
    if (typeof result["nextCursor"] !== "string") break;
    cursor = result["nextCursor"];
  }
  return tools;
}
