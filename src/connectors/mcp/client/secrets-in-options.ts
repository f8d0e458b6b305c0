import { secretWord } from "../../../base/util/redact-keys.ts";
import { secretHeader, secretsIn } from "../../../model/secrets.ts";
import type { McpCommandOptions, McpUrlOptions } from "./types.ts";

/** The name of a variable, a flag, a header or a parameter whose value is a secret. */
const secretName = new RegExp(`(?:${secretWord}|signature|key|pwd|\\b(?:pat|sig|license)|^code)$`, "i");

/** What is secret of the options for an address: in its headers, its query, and what the program is known by. */
export function secretsOfAddress({ url, headers = {}, auth }: McpUrlOptions): readonly string[] {
  const query = [...new URL(url).searchParams].flatMap(([name, value]) =>
    secretHeader.test(name) || secretName.test(name) ? [value] : [],
  );
  const named = Object.entries(headers).flatMap(([name, value]) => (secretName.test(name) ? [value] : []));
  const identity =
    auth === undefined
      ? []
      : [Reflect.get(auth, "token"), Reflect.get(auth, "clientSecret")].filter(
          (value): value is string => typeof value === "string",
        );
  return [...secretsIn(headers), ...named, ...query, ...identity];
}

/** What is secret of the options for a program: variables and arguments that are named so, and passwords in addresses. */
export function secretsOfProgram({ args = [], env = {} }: McpCommandOptions): readonly string[] {
  const named = Object.entries(env).flatMap(([name, value]) => (secretName.test(name) ? [value] : []));
  const flags = args.flatMap((arg, index) => {
    const [, name = "", value] = /^-{1,2}([\w.-]+)(?:=([^]*))?$/.exec(arg) ?? [];
    const [, header = "", text] = /^([\w-]+)\s*:\s*([^]*)$/.exec(arg) ?? [];
    if (text !== undefined && !text.startsWith("//")) return secretsIn({ [header]: text });
    return secretName.test(name) ? [value ?? args[index + 1] ?? ""] : [];
  });
  return [...named, ...flags, ...[...Object.values(env), ...args].flatMap(passwordsOf)];
}

function passwordsOf(text: string): readonly string[] {
  const password = URL.parse(text)?.password ?? "";
  return password === "" ? [] : [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
