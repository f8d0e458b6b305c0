import type { StrictDialect } from "../../schema/strict.ts";

/** The string formats that all strict modes support. */
export const strictFormats: readonly string[] = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
];

/** The limits of a provider's API; a limit that it does not have is absent. */
export interface ProviderLimits {
  /** Tools per request. */
  readonly tools?: number;
  /** For each schema in strict mode. */
  readonly strictSchema?: {
    readonly properties: number;
    /** Levels of nested objects. */
    readonly depth: number;
    readonly enumValues: number;
    /** Characters in names, `enum` and `const` values. */
    readonly characters: number;
    /** Characters in the values of one `enum` that has more than 250 of them. */
    readonly largeEnumCharacters: number;
  };
  /** For all strict tools of a request together. */
  readonly strictTools?: {
    readonly tools: number;
    readonly optionalParameters: number;
    readonly unionParameters: number;
  };
}

/**
 * What the rest of the package needs to know about a provider: plain data, one object per provider, in `info.ts` of its folder.
 * `providers/resolution/registry.ts` lists them.
 */
export interface ProviderInfo {
  /** The prefix of its model names, before the colon; the name of its factory; and the default `provider` of its models. */
  readonly name: string;
  /** The provider's name in messages, such as `"OpenAI"`. */
  readonly title: string;
  /** Other prefixes, which choose among several APIs of the provider. */
  readonly otherPrefixes?: readonly string[];
  /** What may precede a colon within the provider's own model ids, such as `ft` for a fine-tuned model. */
  readonly idPrefixes?: readonly string[];
  /** A model id for examples in messages. */
  readonly exampleModel: string;
  /** The model to use if the program names none and the provider's key is set. */
  readonly defaultModel: string;
  /** Matches model ids that people write without the provider's name. */
  readonly modelPattern: RegExp;
  /** The environment variables that may hold the key: the first that is set is used, the last is named in messages. */
  readonly keyVariables: readonly [string, ...string[]];
  /** The headers that can hold a key, in lower case. */
  readonly keyHeaders: readonly string[];
  readonly baseURL: string;
  /** The environment variable that may set another base URL. */
  readonly baseURLVariable: string;
  /** Matches what is removed from the end of a base URL. */
  readonly baseURLEnd: RegExp;
  /** Matches the provider's own host names. */
  readonly ownHost: RegExp;
  /** The part of JSON Schema that its strict mode supports. */
  readonly strict: StrictDialect;
  readonly limits?: ProviderLimits;
}
