import { isPlainObject } from "../../base/util/json.ts";
import { redactKeys } from "../../base/util/redact-keys.ts";
import { ConfigurationError } from "../../errors.ts";

/** How long a local Ollama may take to answer, in milliseconds: short, so that users without Ollama do not notice. */
const timeout = 300;

/**
 * Where Ollama listens: `OLLAMA_HOST` as Ollama itself reads it (scheme and port may be missing), else port 11434 on this machine.
 * Without a slash at the end.
 * @throws ConfigurationError (`invalid-base-url`) for what is not an address.
 */
export function ollamaAddress(host: string = process.env["OLLAMA_HOST"] ?? ""): string {
  const trimmed = host.trim().replace(/\/+$/, "");
  const [, scheme, rest = ""] = /^(?:(https?):\/\/)?(.*)$/i.exec(trimmed) ?? [];
  const url = URL.parse(
    `${scheme ?? "http"}://${rest.startsWith(":") || rest === "" ? `127.0.0.1${rest}` : rest}`,
  );
  if (!url) {
    const excerpt = redactKeys(trimmed.replace(/^.*@/s, ""));
    throw new ConfigurationError(
      `OLLAMA_HOST "${excerpt}" is not an address. Set it to a host and a port, such as 127.0.0.1:11434.`,
      { code: "invalid-base-url" },
    );
  }
  // A server may listen on every interface; a client must choose one.
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  if (scheme === undefined && url.port === "" && !rest.endsWith(":80")) url.port = "11434";
  return url.href.replace(/\/$/, "");
}

/** The first model of a local Ollama that is not for embeddings; `undefined` if there is none, or no Ollama answers. */
export async function firstOllamaModel(): Promise<string | undefined> {
  try {
    const response = await fetch(`${ollamaAddress()}/api/tags`, { signal: AbortSignal.timeout(timeout) });
    if (!response.ok) return undefined;
    return firstChatModel(await response.json());
  } catch {
    // A closed port or a server other than Ollama: a local model is not available.
    return undefined;
  }
}

function firstChatModel(tags: unknown): string | undefined {
  const models = isPlainObject(tags) && Array.isArray(tags["models"]) ? tags["models"] : [];
  return models.flatMap(modelName).find((name) => !/embed|minilm|\bbge\b/i.test(name));
}

function modelName(model: unknown): string[] {
  return isPlainObject(model) && typeof model["name"] === "string" ? [model["name"]] : [];
}
