import type { StrictDialect } from "../../schema/strict.ts";

/** The formats of strings that strict modes have in common. */
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

/** How much a provider takes; what it does not limit is absent. */
export interface ProviderLimits {
  /** Tools in a request. */
  readonly tools?: number;
  /** Of one schema in strict mode. */
  readonly strictSchema?: {
    readonly properties: number;
    /** Levels of nested objects. */
    readonly depth: number;
    readonly enumValues: number;
    /** Characters in names, enum and const values. */
    readonly characters: number;
    /** Characters in the values of one enum of more than 250. */
    readonly largeEnumCharacters: number;
  };
  /** Of all strict tools in a request. */
  readonly strictTools?: {
    readonly tools: number;
    readonly optionalParameters: number;
    readonly unionParameters: number;
  };
}

/**
 * What the rest of the package has to know of a provider whose API Skein speaks: plain data, one object for each provider, in
 * `info.ts` of its folder. `providers/resolution/registry.ts` lists them.
 */
export interface ProviderInfo {
  /** What stands before the colon of a model's name, the name of the factory, and `provider` of its models by default. */
  readonly name: string;
  /** How the provider is called in messages, such as `"OpenAI"`. */
  readonly title: string;
  /** Other words that may stand before the colon: they choose among several APIs of the provider. */
  readonly otherPrefixes?: readonly string[];
  /** What may stand before a colon within an id of the provider's own, such as `ft` of a fine-tuned model. */
  readonly idPrefixes?: readonly string[];
  /** A model id to show in messages. */
  readonly exampleModel: string;
  /** The model where nothing but a key in the environment says what to use. */
  readonly defaultModel: string;
  /** Ids that people write without the provider's name. */
  readonly modelPattern: RegExp;
  /** The variables of the environment that may hold the key; the first one that is set counts, the last one is named in messages. */
  readonly keyVariables: readonly [string, ...string[]];
  /** Headers, in lower case, any of which can hold a key. */
  readonly keyHeaders: readonly string[];
  readonly baseURL: string;
  /** The variable of the environment that may name another base URL. */
  readonly baseURLVariable: string;
  /** What is cut from the end of a base URL. */
  readonly baseURLEnd: RegExp;
  /** The host names of the provider itself. */
  readonly ownHost: RegExp;
  /** What its strict mode takes of JSON Schema. */
  readonly strict: StrictDialect;
  readonly limits?: ProviderLimits;
}
