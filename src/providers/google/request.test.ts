import { describe, expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { ModelSettings } from "../../model/types.ts";
import { UnsupportedPartError } from "../../errors.ts";
import { buildRequest } from "./request.ts";
import { answered, bodyOf, build, called, hello, image } from "./test-request.ts";

const lookUp = {
  name: "look_up",
  description: "Looks a bird up",
  inputSchema: { type: "object", properties: { bird: { type: "string" } }, required: ["bird"] },
} as const;

function configOf(settings: ModelSettings, modelId?: string): unknown {
  return bodyOf({ settings }, modelId)["generationConfig"];
}

describe("the fields of a request", () => {
  test("instructions and leading system messages are the system instruction, later ones are tagged", () => {
    const messages: Message[] = [
      { role: "system", content: "Be kind." },
      ...hello,
      { role: "system", content: "Be brief." },
    ];
    expect(bodyOf({ instructions: "You are a bird.", messages })).toEqual({
      systemInstruction: { parts: [{ text: "You are a bird.\n\nBe kind." }] },
      contents: [{ role: "user", parts: [{ text: "Hello" }, { text: "<system>\nBe brief.\n</system>" }] }],
    });
  });

  test.each(["5m", "1h"] as const)("a cache of %s is a warning: the API has no lifetime to set", (cache) => {
    expect(build({ settings: { cache } })).toMatchObject({
      body: { contents: [{ role: "user", parts: [{ text: "Hello" }] }] },
      warnings: [expect.stringContaining("create a cache and set providerOptions.cachedContent")],
    });
    expect(build({ settings: { cache: "auto" } }).warnings).toEqual([]);
    expect(build({ settings: { cache: false } }).warnings).toEqual([]);
  });

  test("settings get the API's names", () => {
    const settings: ModelSettings = {
      temperature: 1.5,
      topP: 0.9,
      maxOutputTokens: 100,
      stopSequences: ["END"],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      logprobs: true,
      topLogprobs: 2,
    };
    const { logprobs: _, topLogprobs, ...same } = settings;
    expect(configOf(settings)).toEqual({ ...same, responseLogprobs: true, logprobs: topLogprobs });
  });

  test("penalties are left out for Gemini 2.5, with a warning", () => {
    const { body, warnings } = build({ settings: { presencePenalty: 1 } }, "gemini-2.5-flash");
    expect(body).not.toHaveProperty("generationConfig");
    expect(warnings).toEqual([
      "This model does not support presencePenalty and frequencyPenalty: they are left out.",
    ]);
  });

  test.each([
    ["auto", { mode: "AUTO" }],
    ["required", { mode: "ANY" }],
    ["none", { mode: "NONE" }],
    [{ tool: "look_up" }, { mode: "ANY", allowedFunctionNames: ["look_up"] }],
  ] as const)("toolChoice %j becomes %j", (toolChoice, functionCallingConfig) => {
    expect(bodyOf({ tools: [lookUp], toolChoice })).toMatchObject({
      tools: [
        {
          functionDeclarations: [
            { name: "look_up", description: "Looks a bird up", parametersJsonSchema: lookUp.inputSchema },
          ],
        },
      ],
      toolConfig: { functionCallingConfig },
    });
  });

  test("the arguments of a strict tool are validated while the model chooses", () => {
    const tools = [{ ...lookUp, strict: true }];
    expect(bodyOf({ tools })["toolConfig"]).toEqual({ functionCallingConfig: { mode: "VALIDATED" } });
    expect(bodyOf({ tools: [lookUp] })).not.toHaveProperty("toolConfig");
  });

  test("what the API does not support is a warning", () => {
    expect(build({ tools: [lookUp], parallelToolCalls: false }).warnings).toEqual([
      "The Gemini API does not support parallelToolCalls: it is left out.",
    ]);
    expect(build({ toolChoice: "required" }).warnings).toEqual([
      "toolChoice is left out: the request has no tools.",
    ]);
  });

  test("names with any characters become names that the API accepts, and are translated back", () => {
    const names = ["a.b", "9lives", "日本", "", "-x", "y".repeat(70), "look_up"];
    const request = build({ tools: names.map((name) => ({ ...lookUp, name })) });
    const declared: { name: string }[] = JSON.parse(JSON.stringify(request.body["tools"]))[0]
      .functionDeclarations;
    for (const { name } of declared) expect(name).toMatch(/^[a-zA-Z_][\w-]{0,63}$/);
    expect(declared.map(({ name }) => request.names.fromWire(name))).toEqual(names);
  });

  test("an output schema is sent in its strict form", () => {
    const schema = { type: "object", properties: { n: { type: "integer", multipleOf: 5 } }, required: ["n"] };
    expect(bodyOf({ output: { name: "answer", schema } })["generationConfig"]).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: {
        type: "object",
        properties: { n: { type: "integer", description: "(multipleOf: 5)" } },
        required: ["n"],
        additionalProperties: false,
      },
    });
  });

  test("providerOptions are merged as deeply as the API nests, and tools are added", () => {
    const providerOptions = {
      tools: [{ googleSearch: {} }],
      toolConfig: { includeServerSideToolInvocations: true },
      generationConfig: { thinkingConfig: { includeThoughts: false }, topK: 3 },
      safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "OFF" }],
    };
    const settings: ModelSettings = { reasoningEffort: "low", providerOptions };
    expect(bodyOf({ tools: [lookUp], toolChoice: "auto", settings })).toMatchObject({
      tools: [{ functionDeclarations: [{ name: "look_up" }] }, { googleSearch: {} }],
      toolConfig: { functionCallingConfig: { mode: "AUTO" }, includeServerSideToolInvocations: true },
      generationConfig: { topK: 3, thinkingConfig: { thinkingLevel: "low", includeThoughts: false } },
      safetySettings: providerOptions.safetySettings,
    });
  });

  test("with cached content, instructions and tools are left out", () => {
    const settings = { providerOptions: { cachedContent: "cachedContents/c1" } };
    expect(bodyOf({ instructions: "Be brief.", tools: [lookUp], toolChoice: "auto", settings })).toEqual({
      cachedContent: "cachedContents/c1",
      contents: [{ role: "user", parts: [{ text: "Hello" }] }],
    });
  });
});

describe("reasoningEffort", () => {
  const level = (thinkingLevel: string): object => ({ thinkingLevel, includeThoughts: true });

  test.each([
    ["gemini-3-flash-preview", "minimal", level("minimal")],
    ["gemini-3.8-flash", "minimal", level("low")],
    ["gemini-3.8-flash", "none", { thinkingLevel: "low", includeThoughts: false }],
    ["gemini-3-pro-preview", "medium", level("high")],
    ["gemini-3.1-pro-preview", "medium", level("medium")],
    ["gemini-flash-latest", "max", level("high")],
    ["models/gemini-4-hydrogen", "xhigh", level("xhigh")],
    ["gemini-2.5-flash", "none", { thinkingBudget: 0 }],
    ["gemini-2.5-pro", "none", { thinkingBudget: 128 }],
    ["gemini-2.5-pro", "max", { thinkingBudget: 32_768, includeThoughts: true }],
    ["gemini-2.5-flash-lite", "low", { thinkingBudget: 4915, includeThoughts: true }],
  ] as const)("%s gets its own setting for the effort %s", (modelId, reasoningEffort, thinkingConfig) => {
    expect(configOf({ reasoningEffort }, modelId)).toEqual({ thinkingConfig });
  });

  test("a model that does not support thinking gets no setting for it, with a warning", () => {
    const { body, warnings } = build({ settings: { reasoningEffort: "high" } }, "gemini-2.0-flash");
    expect(body).not.toHaveProperty("generationConfig");
    expect(warnings).toEqual(["This model does not support thinking: reasoningEffort is left out."]);
  });
});

describe("a history", () => {
  test("results are in one turn, in order, followed by the media that they cannot contain", () => {
    const messages = [
      ...hello,
      called("c1", "c2"),
      answered("c1", { type: "text", text: "A photo." }, { type: "image", url: image }),
      answered("c2", { type: "file", url: "data:audio/wav;base64,UklGRg==" }),
      { role: "user", content: "And now?" } as const,
    ];
    const { contents } = bodyOf({ messages });
    expect(contents.slice(2)).toEqual([
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              id: "c1",
              name: "look_up",
              response: { output: "A photo." },
              parts: [{ inlineData: { mimeType: "image/png", data: "iVBORw0=" } }],
            },
          },
          { functionResponse: { id: "c2", name: "look_up", response: { output: "" } } },
          { text: "From the result of look_up:" },
          { inlineData: { mimeType: "audio/wav", data: "UklGRg==" } },
        ],
      },
      { role: "user", parts: [{ text: "And now?" }] },
    ]);
    const older = bodyOf({ messages }, "gemini-2.5-flash")["contents"][2].parts;
    expect(older.map((part: object) => Object.keys(part)[0])).toEqual([
      "functionResponse",
      "functionResponse",
      "text",
      "inlineData",
      "text",
      "inlineData",
    ]);
  });

  test("a failure is sent as an error, and arguments that are not JSON are sent too", () => {
    const call = { toolCallId: "c1", toolName: "look_up", arguments: "{bird" };
    const result = { toolCallId: "c1", toolName: "look_up", isError: true, outcome: "error" } as const;
    const { contents } = bodyOf({
      messages: [
        ...hello,
        { role: "assistant", content: [], toolCalls: [call] },
        { role: "tool", result: { ...result, content: [{ type: "text", text: "No such bird." }] } },
      ],
    });
    expect(contents[1].parts[0].functionCall.args).toEqual({ invalid_arguments: "{bird" });
    expect(contents[2].parts[0].functionResponse.response).toEqual({ error: "No such bird." });
  });

  test("the first call of another model's answer gets the signature that skips validation, if one is required", () => {
    const messages = [...hello, called("c1", "c2")];
    const signatures = (modelId: string): unknown[] =>
      bodyOf({ messages }, modelId)["contents"][1].parts.map((part: object) => Object(part).thoughtSignature);
    expect(signatures("gemini-3.8-flash")).toEqual([
      "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
      undefined,
    ]);
    expect(signatures("gemini-2.5-flash")).toEqual([undefined, undefined]);
  });

  test("images and files are sent as content or as URLs", () => {
    const file = (url: string, mediaType?: string): object => ({
      type: "file",
      url,
      ...(mediaType && { mediaType }),
    });
    const messages = JSON.parse(
      JSON.stringify([
        {
          role: "user",
          content: [
            { type: "image", url: image },
            { type: "image", url: "https://acme.test/a.png?x=1" },
            file("gs://bucket/a.pdf"),
            file("https://youtu.be/abc", "video/mp4"),
            file("data:text/csv,a%2Cb"),
            file("data:application/json;base64,e30="),
          ],
        },
      ]),
    );
    const { warnings } = build({ messages });
    expect(bodyOf({ messages })["contents"][0].parts).toEqual([
      { inlineData: { mimeType: "image/png", data: "iVBORw0=" } },
      { fileData: { mimeType: "image/png", fileUri: "https://acme.test/a.png?x=1" } },
      { fileData: { mimeType: "application/pdf", fileUri: "gs://bucket/a.pdf" } },
      { fileData: { mimeType: "video/mp4", fileUri: "https://youtu.be/abc" } },
      { inlineData: { mimeType: "text/csv", data: btoa("a,b") } },
      { inlineData: { mimeType: "text/plain", data: "e30=" } },
    ]);
    expect(warnings).toEqual([]);
  });

  test("stored files are sent by their addresses", () => {
    const content = [{ type: "file", url: "google:files/abc", mediaType: "video/mp4" }] as const;
    const target = { provider: "google", modelId: "gemini-3.8-flash", isFirstParty: true };
    const filesURL = "https://generativelanguage.googleapis.com/v1beta";
    const { body } = buildRequest({ messages: [{ role: "user", content }] }, { ...target, filesURL });
    expect(body["contents"]).toEqual([
      {
        role: "user",
        parts: [{ fileData: { mimeType: "video/mp4", fileUri: `${filesURL}/files/abc` } }],
      },
    ]);
  });

  test.each([
    [{ type: "file", url: "blob:nowhere" }, /"blob:" is not read there/],
    [{ type: "image", url: "data:application/pdf;base64,AA==" }, /must be an image/],
    [{ type: "file", url: "data:application/zip;base64,AA==", filename: "a.zip" }, /"a.zip".*PDF, text/],
  ] as const)("%o of a user is refused, and of a result described", (part, reason) => {
    expect(() => build({ messages: [{ role: "user", content: [part] }] })).toThrow(UnsupportedPartError);
    expect(() => build({ messages: [{ role: "user", content: [part] }] })).toThrow(reason);
    const { warnings } = build({ messages: [...hello, called("a"), answered("a", part)] });
    expect(warnings).toEqual([expect.stringContaining("a text describes it instead")]);
  });

  test("it starts and ends with the user", () => {
    const messages: Message[] = [
      { role: "assistant", content: [{ type: "text", text: "Hello!" }], toolCalls: [] },
    ];
    expect(bodyOf({ messages })["contents"].map(({ role }: { role: string }) => role)).toEqual([
      "user",
      "model",
      "user",
    ]);
  });
});
