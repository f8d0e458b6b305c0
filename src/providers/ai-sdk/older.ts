import type { FileData, FilePrompt, PromptMessage, ResultOutput, TextPrompt } from "./prompt-types.ts";
import type { AiSdkSpecification } from "./types.ts";

/** A prompt in the form of a model's specification. Parts that only V4 supports are left out of the others. */
export function promptFor(version: AiSdkSpecification, prompt: readonly PromptMessage[]): readonly object[] {
  return version === "v4" ? prompt : prompt.map((message) => olderMessage(version, message));
}

type OlderVersion = Exclude<AiSdkSpecification, "v4">;

function olderMessage(version: OlderVersion, message: PromptMessage): object {
  if (message.role === "system") return message;
  const content = message.content.flatMap((part): object[] => {
    if (part.type === "reasoning-file" || part.type === "custom") return [];
    if (part.type === "file") return [{ ...part, data: olderData(part.data) }];
    return [part.type === "tool-result" ? { ...part, output: olderOutput(version, part.output) } : part];
  });
  return { ...message, content };
}

function olderData(data: FileData): string | URL {
  return data.type === "url" ? data.url : data.data;
}

function olderOutput(version: OlderVersion, output: ResultOutput): object {
  if (output.type !== "content") return output;
  return { ...output, value: output.value.map((part) => olderContent(version, part)) };
}

function olderContent(version: OlderVersion, part: TextPrompt | FilePrompt): object {
  if (part.type === "text") return part;
  const { data, mediaType, filename } = part;
  // V2 does not support URLs in a result.
  if (version === "v2") {
    return data.type === "data"
      ? { type: "media", data: data.data, mediaType }
      : { type: "text", text: data.url.href };
  }
  const kind = mediaType.startsWith("image/") ? "image" : "file";
  if (data.type === "url") return { type: `${kind}-url`, url: data.url.href };
  const name = kind === "file" && filename !== undefined && { filename };
  return { type: `${kind}-data`, data: data.data, mediaType, ...name };
}
