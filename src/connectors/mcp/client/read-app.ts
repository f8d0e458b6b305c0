import type { RequestOptions } from "@modelcontextprotocol/client";
import { fromBase64 } from "../../../base/util/base64.ts";
import { cleanName } from "../../../base/util/clean-text.ts";
import { isPlainObject } from "../../../base/util/json.ts";
import type { McpApp, McpAppPermission } from "./app.ts";
import { appPolicy } from "./app-policy.ts";
import { appMimeType } from "../app-type.ts";
import type { OpenConnection } from "./connection.ts";
import type { McpContents } from "./listed.ts";

const permissionNames: readonly McpAppPermission[] = [
  "camera",
  "microphone",
  "geolocation",
  "clipboardWrite",
];

/** The most characters of a page: those in use hold their scripts, which are up to a few million. */
const longestPage = 8_388_608;

/**
 * Reads the page of an app.
 * @throws Error for what is not one page of HTML within bounds; whatever the SDK throws.
 */
export async function readApp(
  { client }: OpenConnection,
  server: string,
  resourceUri: string,
  options: RequestOptions,
): Promise<McpApp> {
  const { contents } = await client.readResource({ uri: resourceUri }, { ...options, cacheMode: "bypass" });
  const [page, ...others] = contents;
  if (!page || others.length > 0)
    throw new Error(`its answer for ${resourceUri} has ${contents.length} contents, and must have one`);
  // Its policy would be that of another page.
  if (page.uri !== resourceUri)
    throw new Error(`its answer for ${resourceUri} is the page ${cleanName(page.uri)}`);
  const type = (page.mimeType ?? "").toLowerCase().replaceAll(/[\s"]/g, "");
  if (type !== appMimeType)
    throw new Error(`its answer for ${resourceUri} is not of the type ${appMimeType}`);
  const listed = async (): Promise<unknown> => {
    const { resources } = await client.listResources(undefined, options);
    return settingsOf(resources.find(({ uri }) => uri === resourceUri));
  };
  // What the page itself says counts before what the list of resources says.
  const settings = settingsOf(page) ?? (await listed());
  const { csp, permissions, prefersBorder } = isPlainObject(settings) ? settings : {};
  return {
    server,
    resourceUri,
    html: htmlOf(page, resourceUri),
    contentSecurityPolicy: appPolicy(csp),
    permissions: permissionNames.filter(
      (name) =>
        isPlainObject(permissions) && Object.hasOwn(permissions, name) && isPlainObject(permissions[name]),
    ),
    ...(typeof prefersBorder === "boolean" && { prefersBorder }),
  };
}

function settingsOf(resource: Pick<McpContents, "_meta"> = {}): unknown {
  const { _meta: meta } = resource;
  return meta?.["ui"];
}

function htmlOf(page: McpContents, resourceUri: string): string {
  const html = "text" in page ? page.text : decodePage(page.blob);
  if (html.length <= longestPage) return html;
  throw new Error(`its page ${resourceUri} has more than ${longestPage} characters`);
}

/** @throws Error for what is not UTF-8 in base64. */
function decodePage(base64: string): string {
  const bytes = fromBase64(base64);
  try {
    if (bytes) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Reported below, as base64 that cannot be decoded is.
  }
  throw new Error("its page is not UTF-8 in base64");
}
