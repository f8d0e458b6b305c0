import { expect, test } from "vitest";
import { generate, type Model, UnsupportedPartError } from "skein";
import { anthropic } from "skein/anthropic";
import { google } from "skein/google";
import { openai } from "skein/openai";
import { FileServer } from "./file-server.ts";

const apiKey = "key";
const models = {
  chat: ({ url }: FileServer, uploads: boolean): Model =>
    openai("some-model", { baseURL: `${url}/v1`, apiKey, uploads }),
  responses: ({ url }: FileServer, uploads: boolean): Model =>
    openai.responses("some-model", { baseURL: `${url}/v1`, apiKey, uploads }),
  anthropic: ({ url }: FileServer, uploads: boolean): Model =>
    anthropic("claude-opus-5-5", { baseURL: url, apiKey, uploads }),
  google: ({ url }: FileServer, uploads: boolean): Model =>
    google("gemini-3.8-flash", { baseURL: url, apiKey, uploads }),
};

const unreadable: readonly [string, string][] = [
  [`data:application/pdf;base64,${"?".repeat(400_000)}`, "not base64"],
  ["data:application/pdf;base64,@@@@", "not base64"],
  ["data:application/pdf;base64,A", "not base64"],
  ["data:application/pdf;base64,", "empty"],
  ["data:text/plain,", "empty"],
  ["data:", "missing"],
  ["data:application/pdf;base64", "missing"],
  ["data:image/png;base64,@@@@", "not base64"],
];
test.each(
  Object.entries(models).flatMap(([name, modelOf]) =>
    unreadable.map(([url, why]) => ({ name, modelOf, url, why })),
  ),
)("content that is $why is refused before anything is sent: $name", async ({ modelOf, url, why }) => {
  await using server = await new FileServer().start();
  for (const uploads of [true, false]) {
    const part = url.startsWith("data:image")
      ? ({ type: "image", url } as const)
      : ({ type: "file", url } as const);
    const asking = generate(modelOf(server, uploads), { messages: [{ role: "user", content: [part] }] });
    await expect(asking).rejects.toThrow(`its content is ${why}`);
    await expect(asking).rejects.toThrow(UnsupportedPartError);
  }
  expect(server.received).toEqual([]);
});
