import { ConfigurationError } from "../../../errors.ts";
import { errorMessage } from "../../../base/util/error-message.ts";
import { isPlainObject } from "../../../base/util/json.ts";
import type { McpCommandOptions, McpUrlOptions } from "./types.ts";
import { expandVariables, type VariableValues } from "./variables.ts";

/** What a configuration says. */
export interface ReadConfig {
  /** Every server that it names, the disabled ones included. */
  readonly names: readonly string[];
  readonly servers: readonly (readonly [name: string, McpCommandOptions | McpUrlOptions])[];
}

/** The name that each kind of server at an address has in one program or another. */
const kinds: Readonly<Record<string, "http" | "sse">> = {
  http: "http",
  "streamable-http": "http",
  streamablehttp: "http",
  sse: "sse",
};

/** Reads a configuration; `only` names the servers that are wanted. @throws ConfigurationError */
export function readConfig(
  source: string | URL | object,
  place: string,
  values: VariableValues,
  only: readonly string[] | undefined,
): ReadConfig {
  const config: unknown =
    typeof source === "string" || source instanceof URL ? parseFile(source, place) : source;
  const servers = isPlainObject(config) ? (config["mcpServers"] ?? config["servers"]) : undefined;
  if (!isPlainObject(servers)) {
    throw invalid(
      `${place} has no "mcpServers" (nor "servers"). Expected { mcpServers: { name: { command: "..." } } }.`,
    );
  }
  const wanted = Object.entries(servers).filter(
    ([name, entry]) =>
      (only?.includes(name) ?? true) &&
      !(isPlainObject(entry) && (entry["disabled"] === true || entry["enabled"] === false)),
  );
  return {
    names: Object.keys(servers),
    servers: wanted.map(([name, entry]) => [
      name,
      readServer(entry, values, `The server "${name}" of ${place}`),
    ]),
  };
}

function readServer(
  entry: unknown,
  values: VariableValues,
  place: string,
): McpCommandOptions | McpUrlOptions {
  if (!isPlainObject(entry)) throw invalid(`${place} must be an object.`);
  const expand = (text: string): string => expandVariables(text, values, place);
  const text = (key: string): string | undefined => {
    const value = entry[key];
    if (value === undefined || typeof value === "string") return value && expand(value);
    throw invalid(`${place} has a ${key} that is not a string.`);
  };
  const url = text("url") ?? text("serverUrl") ?? text("httpUrl");
  const command = text("command");
  if (url !== undefined && command === undefined) {
    const kind = text("type")?.toLowerCase();
    const type = kind !== undefined && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    const headers = texts(entry, "headers", expand, place);
    return { url, ...(headers && { headers }), ...(type === "sse" && { type }) };
  }
  if (command === undefined) {
    const keys = Object.keys(entry).join(", ") || "nothing";
    throw invalid(`${place} has neither "command" nor "url", only ${keys}.`);
  }
  const args = entry["args"] ?? [];
  if (!Array.isArray(args)) throw invalid(`${place} has args that are not an array.`);
  const [cwd, envFile] = [text("cwd"), text("envFile")];
  const env = { ...(envFile !== undefined && parseEnvFile(envFile)), ...texts(entry, "env", expand, place) };
  return { command, args: args.map((arg) => expand(String(arg))), env, ...(cwd !== undefined && { cwd }) };
}

/** A member whose values are texts; numbers and booleans count as such. */
function texts(
  entry: Readonly<Record<string, unknown>>,
  key: string,
  expand: (text: string) => string,
  place: string,
): Record<string, string> | undefined {
  const values = entry[key];
  if (values === undefined) return undefined;
  if (!isPlainObject(values)) throw invalid(`${place} has ${key} that is not an object.`);
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? [[name, expand(String(value))]]
        : [],
    ),
  );
}

/** JSON as editors have it: with comments, and with commas that nothing follows. */
function parseFile(file: string | URL, place: string): unknown {
  try {
    const text = fs()
      .readFileSync(file, "utf8")
      .replace(/^\uFEFF/, "");
    const plain = text
      .replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, blanked)
      .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, blanked);
    return JSON.parse(plain);
  } catch (error) {
    throw invalid(`${place} cannot be read: ${errorMessage(error)}`, error);
  }
}

/** Texts stay, all else becomes spaces, so that the parser's word for where something is wrong is right. */
function blanked(whole: string, text: string | undefined): string {
  return text ?? whole.replaceAll(/[^\n]/g, " ");
}

function parseEnvFile(file: string): Record<string, string> {
  try {
    const parsed = process.getBuiltinModule("node:util").parseEnv(fs().readFileSync(file, "utf8"));
    return Object.fromEntries(
      Object.entries(parsed).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  } catch (error) {
    throw invalid(`${file} cannot be read: ${errorMessage(error)}`, error);
  }
}

/** Asked for at run time: addresses are reached from runtimes without files, too. */
function fs(): ReturnType<typeof process.getBuiltinModule<"node:fs">> {
  return process.getBuiltinModule("node:fs");
}

function invalid(message: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(message, { code: "mcp-config", cause });
}
