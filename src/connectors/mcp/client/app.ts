// Without the types of the official SDK: applications that use other entries need not have them.

/** What the page of an app may ask of the browser, beside what all pages may. */
export type McpAppPermission = "camera" | "microphone" | "geolocation" | "clipboardWrite";

/** The page of an app (MCP Apps), as its server has it: another party's program, to be shown in a sandboxed frame. */
export interface McpApp {
  /** The name of the server. */
  readonly server: string;
  readonly resourceUri: string;
  /** The page, at most 8,388,608 characters. */
  readonly html: string;
  /** The policy to show it under, for the header `content-security-policy`: of the network, it may use what its server has said. */
  readonly contentSecurityPolicy: string;
  /** What it would like to use, if the application lets it. */
  readonly permissions: readonly McpAppPermission[];
  /** Whether it would like a border around it; absent if it does not say. */
  readonly prefersBorder?: boolean;
}
