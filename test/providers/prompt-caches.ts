import { anthropicPieces, breakpointProblems, objects, type Piece } from "./breakpoints.ts";
import type { Protocol } from "./protocols.ts";
import type { Body } from "./rules.ts";

/** What a provider's cache did for a request, in tokens. */
export interface CacheUse {
  readonly input: number;
  readonly read: number;
  readonly written: number;
  /** What an ideal cache, which keeps all that was ever sent, would have read. */
  readonly possible: number;
}

/** A provider's cache, by its documented rules. Four characters count as a token. */
export interface PromptCache {
  /** @throws for what the provider answers with 400. */
  send(body: Body): CacheUse;
}

/** The prompt from its beginning up to the end of each piece. */
interface Prefix {
  readonly text: string;
  readonly tokens: number;
}

function prefixesOf(pieces: readonly Pick<Piece, "text">[]): Prefix[] {
  let text = "";
  return pieces.map((piece) => {
    text += `${piece.text}\n`;
    return { text, tokens: Math.floor(text.length / 4) };
  });
}

/** The longest prefix that an ideal cache has, and remembers this prompt. */
class Ideal {
  readonly #texts = new Set<string>();
  readonly #minimum: number;

  constructor(minimum: number) {
    this.#minimum = minimum;
  }

  possible(prefixes: readonly Prefix[]): number {
    const cached = prefixes.findLast(({ text }) => this.#texts.has(text))?.tokens ?? 0;
    for (const { text } of prefixes) this.#texts.add(text);
    return cached >= this.#minimum ? cached : 0;
  }
}

/**
 * Anthropic's cache: at most four breakpoints; at each, the 20 blocks that end there are looked up, and what is before it is written
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching).
 */
export class AnthropicCache implements PromptCache {
  readonly #entries = new Set<string>();
  readonly #minimum: number;
  readonly #ideal: Ideal;

  constructor(minimum = 1024) {
    this.#minimum = minimum;
    this.#ideal = new Ideal(minimum);
  }

  send(body: Body): CacheUse {
    const pieces = anthropicPieces(body);
    const [problem] = breakpointProblems(body);
    if (problem !== undefined) throw new Error(problem);
    const prefixes = prefixesOf(pieces);
    const marked = pieces.flatMap(({ breakpoint }, index) => (breakpoint ? [index] : []));
    const hits = marked.flatMap((index) => {
      const inReach = prefixes.slice(Math.max(0, index - 19), index + 1);
      return inReach.filter(({ text }) => this.#entries.has(text)).map(({ tokens }) => tokens);
    });
    const read = Math.max(0, ...hits);
    const ends = marked
      .flatMap((index) => prefixes[index] ?? [])
      .filter(({ tokens }) => tokens >= this.#minimum);
    for (const { text } of ends) this.#entries.add(text);
    const written = Math.max(0, (ends.at(-1)?.tokens ?? 0) - read);
    return { input: prefixes.at(-1)?.tokens ?? 0, read, written, possible: this.#ideal.possible(prefixes) };
  }
}

/** The tokens of a prompt in the order in which OpenAI and Google read them. */
function prefixOf(protocol: Exclude<Protocol, "messages">, body: Body): Prefix[] {
  const { tools, instructions, systemInstruction, text, response_format: format } = body;
  const history = protocol === "chat" ? body["messages"] : (body["input"] ?? body["contents"]);
  const fixed = { tools, instructions, systemInstruction, text, format };
  return prefixesOf([fixed, ...objects(history)].map((item) => ({ text: JSON.stringify(item) })));
}

/**
 * OpenAI's cache before GPT-5.6: the first 1,024 tokens, then steps of 128, on the machine that a request goes to: by the beginning
 * of its prompt and its key (https://developers.openai.com/api/docs/guides/prompt-caching).
 */
export class OpenAICache implements PromptCache {
  readonly #machines = new Map<string, string[]>();
  readonly #ideal = new Ideal(1024);
  readonly #protocol: "chat" | "responses";

  constructor(protocol: "chat" | "responses") {
    this.#protocol = protocol;
  }

  send(body: Body): CacheUse {
    const prefixes = prefixOf(this.#protocol, body);
    const prompt = prefixes.at(-1)?.text ?? "";
    const route = `${prompt.slice(0, 1024)} ${String(body["prompt_cache_key"])}`;
    const prompts = this.#machines.get(route) ?? [];
    this.#machines.set(route, [...prompts, prompt]);
    const shared = Math.max(0, ...prompts.map((other) => sharedTokens(other, prompt)));
    const read = shared < 1024 ? 0 : shared - (shared % 128);
    const input = prefixes.at(-1)?.tokens ?? 0;
    return { input, read, written: 0, possible: this.#ideal.possible(prefixes) };
  }
}

function sharedTokens(one: string, other: string): number {
  let index = 0;
  while (index < one.length && index < other.length && one[index] === other[index]) index++;
  return Math.floor(index / 4);
}

/** OpenAI's cache from GPT-5.6 on: each request writes a breakpoint at its end, and is looked up at those of earlier ones. */
export class BreakpointCache implements PromptCache {
  readonly #entries = new Set<string>();
  readonly #ideal = new Ideal(1024);

  send(body: Body): CacheUse {
    const prefixes = prefixOf("responses", body);
    const route = String(body["prompt_cache_key"]);
    const isOff = Object(body["prompt_cache_options"]).mode === "explicit";
    const read = prefixes.findLast(({ text }) => this.#entries.has(`${route} ${text}`))?.tokens ?? 0;
    const last = prefixes.at(-1);
    const input = last?.tokens ?? 0;
    if (last && input >= 1024 && !isOff) this.#entries.add(`${route} ${last.text}`);
    const use = isOff ? { read: 0, written: 0 } : { read, written: input - read };
    return { input, ...use, possible: this.#ideal.possible(prefixes) };
  }
}

/** Google's implicit cache: the longest beginning that an earlier request had (https://ai.google.dev/gemini-api/docs/caching). */
export class GoogleCache implements PromptCache {
  readonly #ideal = new Ideal(2048);

  send(body: Body): CacheUse {
    const prefixes = prefixOf("google", body);
    const possible = this.#ideal.possible(prefixes);
    return { input: prefixes.at(-1)?.tokens ?? 0, read: possible, written: 0, possible };
  }
}
