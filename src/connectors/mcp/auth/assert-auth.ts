import { assertKnownOptions } from "../../../base/options/known-options.ts";
import type {
  AuthorizationCodeAuth,
  ClientCredentialsAuth,
  McpAuth,
  McpAuthProvider,
  McpOAuthProvider,
  TokenAuth,
} from "./types.ts";

const common = { scope: true, issuer: true, store: true } as const;
const tokenNames = { token: true } satisfies Record<keyof TokenAuth, true>;
const credentialNames = {
  ...common,
  clientId: true,
  clientSecret: true,
} satisfies Record<keyof ClientCredentialsAuth, true>;
const codeNames = {
  ...credentialNames,
  openBrowser: true,
  clientMetadataUrl: true,
  port: true,
  timeout: true,
} satisfies Record<keyof AuthorizationCodeAuth, true>;

/**
 * Providers of a program's own are objects of any shape.
 * @param place - Whose option it is, such as `mcp()`.
 * @throws ConfigurationError (`invalid-option`) for an unknown option.
 */
export function assertAuth(auth: McpAuth | McpAuthProvider | McpOAuthProvider, place: string): void {
  if ("onUnauthorized" in auth || "redirectToAuthorization" in auth) return;
  const names = "token" in auth ? tokenNames : "openBrowser" in auth ? codeNames : credentialNames;
  assertKnownOptions(auth, names, `auth of ${place}`);
}
