import { secretWord } from "../../../base/util/redact-keys.ts";
import { secretHeader, secretsIn } from "../../../model/secrets.ts";
import type { McpCommandOptions, McpUrlOptions } from "./types.ts";

/** The name of a variable, a flag, a header or a parameter whose value is a secret. */
const secretName = new RegExp(
  `(?:${secretWord}|signature|key|pwd|(?:^|[^a-z])(?:pat|sig|license)|^code)$`,
  "i",
);

/** What is secret of the options for an address: in its headers, its query, and what the program is known by. */
export function secretsOfAddress({ url, headers = {}, auth }: McpUrlOptions): readonly string[] {
  const named = Object.entries(headers).flatMap(([name, value]) => secretsOfHeader(name, value));
  const identity =
    auth === undefined
      ? []
      : [Reflect.get(auth, "token"), Reflect.get(auth, "clientSecret")].filter(
          (value): value is string => typeof value === "string",
        );
  return [...named, ...secretsOfUrl(new URL(url)), ...identity];
}

/** How deep an argument is looked into: `--env=HEADERS={"authorization": "Bearer ..."}` is three deep. */
const deepest = 6;

/**
 * What is secret of the options for a program: variables and arguments that are named so, also within one another (`-e TOKEN=...`,
 * `--header=authorization: ...`, JSON), and what addresses carry.
 */
export function secretsOfProgram({ args = [], env = {} }: McpCommandOptions): readonly string[] {
  const variables = Object.entries(env).flatMap(([name, value]) => secretsOfVariable(name, value, deepest));
  const flags = args.flatMap((arg, index) => {
    const [, name] = /^-{1,2}([\w.-]+)$/.exec(arg) ?? [];
    return name !== undefined && secretName.test(name)
      ? [args[index + 1] ?? ""]
      : secretsOfWords(arg, deepest);
  });
  return [...variables, ...flags];
}

/** What is secret of a variable or a flag. */
function secretsOfVariable(name: string, value: string, depth: number): readonly string[] {
  return [...(secretName.test(name) ? [value] : []), ...secretsOfWords(value, depth)];
}

/** What is secret of a text that may be a flag with its value, a variable, a header, an address, or JSON of these. */
function secretsOfWords(text: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  const [, flag, flagged = ""] = /^-{0,2}([\w.-]+)=([^]*)$/.exec(text) ?? [];
  if (flag !== undefined) return secretsOfVariable(flag, flagged, depth - 1);
  const address = URL.parse(text);
  if (address?.host) return secretsOfUrl(address);
  const [, header, value = ""] = /^([\w-]+)\s*:\s*([^]*)$/.exec(text) ?? [];
  if (header !== undefined) return secretsOfHeader(header, value);
  return /^\s*[[{]/.test(text) ? secretsOfJson(parsed(text), depth - 1) : [];
}

function secretsOfHeader(name: string, value: string): readonly string[] {
  return [...(secretName.test(name) ? [value] : []), ...secretsIn({ [name]: value })];
}

function secretsOfJson(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return secretsOfWords(value, depth);
  if (typeof value !== "object" || value === null || depth <= 0) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === "string"
      ? [...secretsOfHeader(name, member), ...secretsOfWords(member, depth - 1)]
      : secretsOfJson(member, depth - 1),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON after all: nothing in it has a name.
    return undefined;
  }
}

function secretsOfUrl({ password, searchParams }: URL): readonly string[] {
  const parameters = [...searchParams].flatMap(([name, value]) => (isSecret(name) ? [value] : []));
  return password === "" ? parameters : [password, decoded(password), ...parameters];
}

function isSecret(name: string): boolean {
  return secretHeader.test(name) || secretName.test(name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
