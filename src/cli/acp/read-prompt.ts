import type { ContentBlock, EmbeddedResource } from "@agentclientprotocol/sdk";
import type { Part } from "../../message/parts.ts";
import type { Model } from "../../model/types.ts";
import { isOffline } from "./choices.ts";
import { invalidParams } from "./refusal.ts";

/**
 * What the user has written and attached, as the content of a message.
 * @throws Refusal for a prompt without content, for audio, and for data that is not base64.
 */
export function readPrompt(blocks: readonly ContentBlock[]): string | readonly Part[] {
  const parts = blocks.map(readBlock);
  const isEmpty = parts.every((part) => part.type === "text" && part.text.trim() === "");
  if (isEmpty) throw invalidParams("The prompt is empty. Send text, or a file or an image with it.");
  const [first] = parts;
  return parts.length === 1 && first?.type === "text" ? first.text : parts;
}

/** @throws Refusal for images and files, where the model would pass over them without a word. */
export function assertTaken(content: string | readonly Part[], model: Model | string | undefined): void {
  if (typeof content === "string" || content.every(({ type }) => type === "text") || !isOffline(model))
    return;
  throw invalidParams("The offline stand-in takes text alone. Choose a model that takes images and files.");
}

/** The text that a prompt has, for its title and its commands. */
export function textOfPrompt(content: string | readonly Part[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}

function readBlock(block: ContentBlock): Part {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "image", url: dataUrl(block.mimeType, block.data, "image") };
    case "resource_link":
      // The model reads what is there by a tool, if it has one.
      return { type: "text", text: `[${block.title ?? block.name}](${block.uri})` };
    case "resource":
      return readResource(block.resource);
    case "audio":
      throw invalidParams("Audio cannot be sent to the agent. Send text or images.");
  }
}

function readResource(resource: EmbeddedResource["resource"]): Part {
  const { uri } = resource;
  if ("text" in resource)
    return { type: "text", text: `<resource uri=${JSON.stringify(uri)}>\n${resource.text}\n</resource>` };
  const mediaType = resource.mimeType ?? "application/octet-stream";
  const url = dataUrl(mediaType, resource.blob, uri);
  if (mediaType.startsWith("image/")) return { type: "image", url };
  return { type: "file", url, mediaType, filename: fileName(uri) };
}

function dataUrl(mediaType: string, data: string, what: string): string {
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(mediaType))
    throw invalidParams(`The mimeType of ${what} must be a media type such as image/png.`);
  const compact = data.replaceAll(/\s/g, "");
  if (compact === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact))
    throw invalidParams(`The data of ${what} must be base64.`);
  return `data:${mediaType};base64,${compact}`;
}

function fileName(uri: string): string {
  const last = uri.split(/[/\\]/).findLast((piece) => piece !== "");
  return last ?? uri;
}
