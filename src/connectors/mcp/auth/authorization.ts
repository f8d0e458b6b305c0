import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import type { Sdk } from "../client/sdk.ts";
import type { FetchLike } from "../client/limit-body.ts";
import { digest } from "../../../base/util/digest.ts";
import { unlessAborted } from "../../../base/util/unless-aborted.ts";
import { withDeadline } from "../client/limits.ts";
import { assertEncrypted, publicFetch } from "./public-fetch.ts";
import { authError } from "./auth-error.ts";
import { readGrant, type GrantPlace } from "./grant.ts";
import type { Loopback } from "./loopback.ts";
import { beginAttempt, isUnattended, type Attempt } from "./provider.ts";
import { memoryTokens } from "./token-stores.ts";
import type { AuthorizationCodeAuth, ClientCredentialsAuth } from "./types.ts";

/** Milliseconds that a user may take. */
const longestWait = 300_000;

/** What a server said when it refused a request. */
interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
  /** Asks a person again, since the granted scopes do not suffice. */
  readonly forceReauthorization?: boolean;
}

/** How authorization servers are reached, and how many milliseconds they may take, apart from the person. */
export interface Network {
  readonly fetch: FetchLike;
  readonly timeout: number;
}

/** The key of a client's tokens: its address, and a digest of what else tells it from other clients of the server. */
async function keyOf(
  { clientId, scope }: AuthorizationCodeAuth | ClientCredentialsAuth,
  { origin, pathname, search }: URL,
): Promise<string> {
  const address = `${origin}${pathname}`;
  if (search === "" && clientId === undefined && scope === undefined) return address;
  return `${address}#${await digest(JSON.stringify([search, clientId, scope]))}`;
}

/** Gets and keeps the tokens for one server. Requests that need one at the same time share what gets it. */
export class Authorization {
  readonly #auth: AuthorizationCodeAuth | ClientCredentialsAuth;
  readonly #server: URL;
  readonly #place: GrantPlace;
  #underWay: Promise<void> | undefined;
  /** The scopes requested so far: a request for more includes them. */
  #scope: string | undefined;

  constructor(auth: AuthorizationCodeAuth | ClientCredentialsAuth, server: URL) {
    this.#auth = auth;
    this.#server = server;
    this.#place = { store: auth.store ?? memoryTokens(), key: keyOf(auth, server) };
  }

  /** Settles once the person who was asked has answered; `undefined` if no question is open. */
  get underWay(): Promise<void> | undefined {
    return this.#underWay;
  }

  async token(): Promise<string | undefined> {
    const { tokens } = await readGrant(this.#place);
    return tokens?.access_token;
  }

  /**
   * Gets another token than `refused`, with which a request was answered so.
   * @throws McpError (`mcp-auth`)
   */
  async renew(sdk: Sdk, refused: string | undefined, response: Response, network: Network): Promise<void> {
    const { resourceMetadataUrl, scope, error } = sdk.extractWWWAuthenticateParams(response);
    const isTooLittle = response.status === 403 && error === "insufficient_scope";
    // Somebody else has got one meanwhile.
    if (!isTooLittle && (await this.token()) !== refused) return;
    const { tokens } = await readGrant(this.#place);
    const wanted = isTooLittle ? sdk.computeScopeUnion(this.#scope, tokens?.scope, scope) : scope;
    this.#scope = sdk.computeScopeUnion(this.#scope, wanted);
    const challenge: Challenge = {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(wanted !== undefined && { scope: wanted }),
      forceReauthorization: isTooLittle && sdk.isStrictScopeSuperset(wanted, tokens?.scope),
    };
    this.#underWay ??= this.#obtain(sdk, challenge, network).finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  async #obtain(sdk: Sdk, challenge: Challenge, network: Network): Promise<void> {
    const auth = this.#auth;
    try {
      if (isUnattended(auth)) {
        const { provider } = beginAttempt(auth, this.#place);
        await this.#request(sdk, provider, network, challenge);
        return;
      }
      const loopback = await this.#listen(auth);
      try {
        await this.#ask(sdk, auth, loopback, network, challenge);
      } finally {
        loopback.close();
      }
    } catch (error) {
      throw authError(this.#server, error, auth);
    }
  }

  /** Asks the user, unless a refresh token makes that needless. */
  async #ask(
    sdk: Sdk,
    auth: AuthorizationCodeAuth,
    loopback: Loopback,
    network: Network,
    challenge: Challenge,
  ): Promise<void> {
    const state = crypto.randomUUID();
    const attempt = beginAttempt(auth, this.#place, { url: loopback.redirectUrl, state });
    if ((await this.#request(sdk, attempt.provider, network, challenge)) === "AUTHORIZED") return;
    const address = attempt.address();
    if (!address) throw new Error("the authorization server has no page for users");
    // A browser may be a program that runs what other addresses name.
    if (!/^https?:$/.test(address.protocol))
      throw new Error(`the authorization server's page is not a web page (${address.protocol})`);
    if (address.origin !== this.#server.origin) assertEncrypted(address);
    const answered = loopback.answer(state, auth.timeout ?? longestWait);
    // Rejected alone, it must not go unhandled while the browser is being opened.
    answered.catch(() => undefined);
    await auth.openBrowser(address);
    const params = await answered;
    const authorizationCode = params.get("code");
    const iss = params.get("iss") ?? undefined;
    if (authorizationCode === null) throw refusal(sdk, attempt, params, iss);
    await this.#request(sdk, attempt.provider, network, {
      ...challenge,
      authorizationCode,
      ...(iss !== undefined && { iss }),
    });
  }

  /** One part of the flow, between two of a person's: its servers have so much time together. */
  #request(
    sdk: Sdk,
    provider: OAuthClientProvider,
    { fetch, timeout }: Network,
    options: Challenge & { readonly authorizationCode?: string; readonly iss?: string },
  ): ReturnType<Sdk["auth"]> {
    const late = withDeadline(timeout);
    const serverUrl = this.#server;
    const work = sdk.auth(provider, { serverUrl, fetchFn: publicFetch(fetch, serverUrl, late), ...options });
    return unlessAborted(work, late).catch((error: unknown) => {
      throw late.aborted ? new Error(`it did not answer within ${timeout} ms`) : error;
    });
  }

  /** Listens where the client was registered to be, if that port is available. */
  async #listen({ port }: AuthorizationCodeAuth): Promise<Loopback> {
    const { openLoopback } = await import("./loopback.ts");
    if (port !== undefined) return openLoopback(port);
    const { redirectUrl } = await readGrant(this.#place);
    const earlier = redirectUrl === undefined ? 0 : Number(new URL(redirectUrl).port);
    return openLoopback(earlier).catch(() => openLoopback(0));
  }
}

/** Why there is no code. Who says so is checked first: the words of anybody else are not to be shown. */
function refusal(sdk: Sdk, attempt: Attempt, params: URLSearchParams, iss: string | undefined): Error {
  const metadata = attempt.discovered()?.authorizationServerMetadata;
  sdk.validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const code = params.get("error") ?? "no code";
  return new sdk.OAuthError(code, "it was not allowed in the browser");
}
