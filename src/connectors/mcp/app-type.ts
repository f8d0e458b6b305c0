/** The MIME type of the page of an app (MCP Apps, SEP-1865). */
export const appMimeType = "text/html;profile=mcp-app";
