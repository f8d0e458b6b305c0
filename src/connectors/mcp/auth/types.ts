/** A bearer token that is there already. */
export interface TokenAuth {
  /** The token, or a function that returns the current one; it is called before each request. */
  readonly token: string | (() => string | undefined | Promise<string | undefined>);
}

/** The options that every kind of OAuth has. */
interface OAuthCommon {
  /** What to ask for, parted by spaces; by default what the server says that it wants. */
  readonly scope?: string;
  /**
   * Who the client was registered with, as its metadata says it (`https://auth.example.com`): the secret goes nowhere else.
   * By default the one that the server names when it is first used.
   */
  readonly issuer?: string;
  /** Where tokens are kept; by default in memory, for as long as this process runs. */
  readonly store?: TokenStore;
}

/** OAuth with a person who allows it in a browser: authorization code with PKCE. */
export interface AuthorizationCodeAuth extends OAuthCommon {
  /** Shows the address to the user. The answer comes to a server on 127.0.0.1, which runs until then. */
  readonly openBrowser: (address: URL) => void | Promise<void>;
  /** The client's id, where it was registered by hand. By default it is registered on the way. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The `https:` address of a document about the client, which stands for a registration where the server takes it. */
  readonly clientMetadataUrl?: string;
  /** The port of the server that the answer comes to; by default any that is free. */
  readonly port?: number;
  /** How long the user may take, in milliseconds; 300,000 by default. */
  readonly timeout?: number;
}

/** OAuth without a person: the program shows its own id and secret. */
export interface ClientCredentialsAuth extends OAuthCommon {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How a server knows who is asking. */
export type McpAuth = TokenAuth | AuthorizationCodeAuth | ClientCredentialsAuth;

/** An `AuthProvider` of the official SDK, or one that is made like them. */
export interface McpAuthProvider {
  /** The token to send. */
  token(): Promise<string | undefined>;
  /** Called where the server refuses the token. */
  onUnauthorized(context: never): Promise<void>;
}

/** What a client is registered as. */
export interface McpRegistration {
  client_id: string;
}

/** What a server of tokens gives. */
export interface McpTokens {
  access_token: string;
  token_type: string;
}

/** An `OAuthClientProvider` of the official SDK. */
export interface McpOAuthProvider {
  readonly redirectUrl: string | URL | undefined;
  readonly clientMetadata: { redirect_uris: string[] };
  /** What the client is registered as, if it is. */
  clientInformation(context?: never): McpRegistration | undefined | Promise<McpRegistration | undefined>;
  /** The tokens that were saved last. */
  tokens(context?: never): McpTokens | undefined | Promise<McpTokens | undefined>;
  /** Keeps tokens. */
  saveTokens(tokens: never, context?: never): void | Promise<void>;
  /** Leads the user to the page that asks for consent. */
  redirectToAuthorization(address: URL): void | Promise<void>;
  /** Keeps the secret half of a PKCE pair until the user comes back. */
  saveCodeVerifier(verifier: string): void | Promise<void>;
  /** The secret that was kept. */
  codeVerifier(): string | Promise<string>;
}

/** Keeps tokens and registrations. What is kept are secrets: keep them as passwords are kept. */
export interface TokenStore {
  /** What was set last for the key: the address of a server, with a digest where its query, a `clientId` or a `scope` tells clients apart. */
  get(key: string): string | undefined | Promise<string | undefined>;
  /** Keeps a value. */
  set(key: string, value: string): void | Promise<void>;
}
