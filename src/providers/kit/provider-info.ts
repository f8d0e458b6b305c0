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
  /** The variables of the environment that may hold the key; the first one that is set counts. */
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
}
