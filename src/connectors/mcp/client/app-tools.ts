import type { Tool as RemoteTool } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../base/util/json.ts";
import { cleanName } from "../../../base/util/clean-text.ts";
import { appMimeType } from "../app-type.ts";
import type { ToolUi } from "../../../tool/types.ts";
import { isUiAddress } from "../../../tool/ui.ts";
import type { ServerScope } from "./scope.ts";

/** The extension by which servers have pages that show calls of their tools: MCP Apps (SEP-1865). */
const appsExtension = "io.modelcontextprotocol/ui";

/** What the client announces: without it, many servers list no tools with pages. */
export const appsCapability: { [extension: string]: { mimeTypes: string[] } } = {
  [appsExtension]: { mimeTypes: [appMimeType] },
};

/** Whether a model may call a tool: some are for the pages of apps alone. */
export function isForModel({ _meta: meta }: RemoteTool): boolean {
  const { visibility }: { readonly visibility?: unknown } = Object(meta?.["ui"]);
  return !Array.isArray(visibility) || visibility.includes("model");
}

/** The address of the page that shows calls of a tool; `undefined` if its server names none, or one that cannot be used. */
export function pageOf(tool: RemoteTool): string | undefined {
  const resourceUri = namedPage(tool);
  return isUiAddress(resourceUri) ? resourceUri : undefined;
}

/** What a tool is shown by, for the events of its calls. A page that cannot be used is reported. */
export function uiOfTool(tool: RemoteTool, { server, serverId, warn }: ServerScope): ToolUi | undefined {
  const resourceUri = pageOf(tool);
  if (resourceUri !== undefined) return Object.freeze({ resourceUri, server, serverId });
  if (namedPage(tool) !== undefined)
    warn(
      `The tool "${cleanName(tool.name)}" of the MCP server "${server}" names a page that cannot be used: _meta.ui.resourceUri must begin with ui:// and have at most 1,000 characters. No app shows its calls.`,
    );
  return undefined;
}

/** The second place is that of servers from before the extension was settled. */
function namedPage({ _meta: meta }: RemoteTool): unknown {
  const ui = meta?.["ui"];
  if (ui === undefined) return meta?.["ui/resourceUri"];
  return isPlainObject(ui) ? ui["resourceUri"] : ui;
}
