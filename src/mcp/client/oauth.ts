import type { AuthProvider, OAuthClientProvider } from "@modelcontextprotocol/client";
import type { ServerScope } from "./scope.ts";

/** A bearer token, or a function that gives the present one. */
export type AuthOptions = string | (() => string | undefined | Promise<string | undefined>);

/** What the SDK's HTTP transports are given to identify themselves. */
export async function authProviderOf(
  auth: AuthOptions | AuthProvider | OAuthClientProvider,
  _scope: ServerScope,
): Promise<AuthProvider | OAuthClientProvider> {
  if (typeof auth === "object") return auth;
  return { token: async () => (typeof auth === "function" ? auth() : auth) };
}
