import type { Sdk } from "../client/sdk.ts";
import type { FetchLike } from "../client/limit-body.ts";
import { publicFetch } from "./public-fetch.ts";
import { authError } from "./auth-error.ts";
import { readGrant } from "./grant.ts";
import type { Loopback } from "./loopback.ts";
import { beginAttempt, isUnattended, type Attempt, type GrantPlace } from "./provider.ts";
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
    this.#place = { store: auth.store ?? memoryTokens(), key: `${server.origin}${server.pathname}` };
  }

  /** Settles once the person who was asked has answered; `undefined` if no question is open. */
  get underWay(): Promise<void> | undefined {
    return this.#underWay;
  }

  async token(): Promise<string | undefined> {
    const { tokens } = await readGrant(this.#place.store, this.#place.key);
    return tokens?.access_token;
  }

  /**
   * Gets another token than `refused`, with which a request was answered so.
   * @throws McpError (`mcp-auth`)
   */
  async renew(sdk: Sdk, refused: string | undefined, response: Response, fetch: FetchLike): Promise<void> {
    const { resourceMetadataUrl, scope, error } = sdk.extractWWWAuthenticateParams(response);
    const isTooLittle = response.status === 403 && error === "insufficient_scope";
    // Somebody else has got one meanwhile.
    if (!isTooLittle && (await this.token()) !== refused) return;
    const { tokens } = await readGrant(this.#place.store, this.#place.key);
    const wanted = isTooLittle ? sdk.computeScopeUnion(this.#scope, tokens?.scope, scope) : scope;
    this.#scope = sdk.computeScopeUnion(this.#scope, wanted);
    const challenge: Challenge = {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(wanted !== undefined && { scope: wanted }),
      forceReauthorization: isTooLittle && sdk.isStrictScopeSuperset(wanted, tokens?.scope),
    };
    this.#underWay ??= this.#obtain(sdk, challenge, fetch).finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  async #obtain(sdk: Sdk, challenge: Challenge, fetch: FetchLike): Promise<void> {
    const auth = this.#auth;
    const fetchFn = publicFetch(fetch, this.#server);
    try {
      if (isUnattended(auth)) {
        const { provider } = beginAttempt(auth, this.#place);
        await sdk.auth(provider, { serverUrl: this.#server, fetchFn, ...challenge });
        return;
      }
      const loopback = await this.#listen(auth);
      try {
        await this.#ask(sdk, auth, loopback, { ...challenge, fetchFn });
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
    options: Challenge & { readonly fetchFn: FetchLike },
  ): Promise<void> {
    const state = crypto.randomUUID();
    const attempt = beginAttempt(auth, this.#place, { url: loopback.redirectUrl, state });
    const serverUrl = this.#server;
    if ((await sdk.auth(attempt.provider, { serverUrl, ...options })) === "AUTHORIZED") return;
    const address = attempt.address();
    if (!address) throw new Error("the authorization server has no page for users");
    // A browser may be a program that runs what other addresses name.
    if (!/^https?:$/.test(address.protocol))
      throw new Error(`the authorization server's page is not a web page (${address.protocol})`);
    const answered = loopback.answer(state, auth.timeout ?? longestWait);
    // Rejected alone, it must not go unhandled while the browser is being opened.
    answered.catch(() => undefined);
    await auth.openBrowser(address);
    const params = await answered;
    const authorizationCode = params.get("code");
    const iss = params.get("iss") ?? undefined;
    if (authorizationCode === null) throw refusal(sdk, attempt, params, iss);
    await sdk.auth(attempt.provider, {
      serverUrl,
      ...options,
      authorizationCode,
      ...(iss !== undefined && { iss }),
    });
  }

  /** Listens where the client was registered to be, if that port is available. */
  async #listen({ port }: AuthorizationCodeAuth): Promise<Loopback> {
    const { openLoopback } = await import("./loopback.ts");
    if (port !== undefined) return openLoopback(port);
    const { redirectUrl } = await readGrant(this.#place.store, this.#place.key);
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
