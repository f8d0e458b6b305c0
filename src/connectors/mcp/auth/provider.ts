import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { readGrant, type Grant, type GrantPlace } from "./grant.ts";
import type { AuthorizationCodeAuth, ClientCredentialsAuth } from "./types.ts";

/** One attempt to be authorized, as the SDK's flow sees it. Most of it lives no longer than the attempt. */
export interface Attempt {
  readonly provider: OAuthClientProvider;
  /** The address that the user has to be shown, once the flow has come to it. */
  readonly address: () => URL | undefined;
  /** What was found out about the authorization server. */
  readonly discovered: () => OAuthDiscoveryState | undefined;
}

/** Who shows an own id and secret instead of a person. */
export function isUnattended(
  auth: AuthorizationCodeAuth | ClientCredentialsAuth,
): auth is ClientCredentialsAuth {
  return !("openBrowser" in auth);
}

/** Begins an attempt. `redirect` is set where a person has to agree. */
export function beginAttempt(
  auth: AuthorizationCodeAuth | ClientCredentialsAuth,
  place: GrantPlace,
  redirect?: { readonly url: string; readonly state: string },
): Attempt {
  let verifier = "";
  let discovery: OAuthDiscoveryState | undefined;
  let address: URL | undefined;
  const read = (): Promise<Grant> => readGrant(place);
  const change = async (changes: Grant): Promise<void> => {
    await place.store.set(await place.key, JSON.stringify({ ...(await read()), ...changes }));
  };
  const provider: OAuthClientProvider = {
    redirectUrl: redirect?.url,
    clientMetadata: metadataOf(auth, redirect?.url),
    clientInformation: async () => knownClient(auth, await read(), redirect?.url),
    tokens: async () => (await read()).tokens,
    saveTokens: (tokens) => change({ tokens }),
    redirectToAuthorization: (url) => void (address = url),
    saveCodeVerifier: (code) => void (verifier = code),
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => void (discovery = state),
    discoveryState: () => discovery,
    invalidateCredentials: async (what) => {
      if (what === "discovery" || what === "all") discovery = undefined;
      await change({
        ...((what === "tokens" || what === "all") && { tokens: undefined }),
        ...((what === "client" || what === "all") && { client: undefined, redirectUrl: undefined }),
      });
    },
    // A client that was registered by hand is never registered again with another authorization server.
    ...(auth.clientId === undefined && {
      saveClientInformation: (client) => change({ client, redirectUrl: redirect?.url }),
    }),
    ...(redirect && { state: () => redirect.state }),
    ...("clientMetadataUrl" in auth &&
      auth.clientMetadataUrl && { clientMetadataUrl: auth.clientMetadataUrl }),
    ...(!redirect && {
      prepareTokenRequest: (scope) =>
        new URLSearchParams({ grant_type: "client_credentials", ...(scope && { scope }) }),
    }),
  };
  return { provider, address: () => address, discovered: () => discovery };
}

function metadataOf(
  auth: AuthorizationCodeAuth | ClientCredentialsAuth,
  redirectUrl: string | undefined,
): OAuthClientMetadata {
  return {
    client_name: "Skein",
    redirect_uris: redirectUrl === undefined ? [] : [redirectUrl],
    ...(redirectUrl === undefined
      ? { grant_types: ["client_credentials"] }
      : { grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] }),
    ...(auth.scope !== undefined && { scope: auth.scope }),
  };
}

/** The client as the application or an earlier registration says it. */
function knownClient(
  { clientId, clientSecret, issuer }: AuthorizationCodeAuth | ClientCredentialsAuth,
  { client, tokens, redirectUrl }: Grant,
  usedUrl: string | undefined,
): StoredOAuthClientInformation | undefined {
  if (clientId !== undefined) {
    const boundTo = issuer ?? tokens?.issuer;
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      ...(boundTo !== undefined && { issuer: boundTo }),
    };
  }
  // Many servers send users back only to the very address that was registered, whatever RFC 8252 says of ports.
  return redirectUrl === usedUrl ? client : undefined;
}
