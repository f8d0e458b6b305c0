import { describe, expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import type { ModelRequest } from "../../model/types.ts";
import { fromAiSdk } from "./model.ts";
import { answerOf, ends, languageModel } from "./test-language-model.ts";
import type { AiSdkCallOptions, AiSdkOptions, AiSdkSpecification } from "./types.ts";

interface Asking extends AiSdkOptions {
  readonly version?: AiSdkSpecification;
  readonly provider?: string;
}

/** The options of a call to a language model, and the warnings of the answer. */
async function ask(
  request: Partial<ModelRequest>,
  { version = "v4", provider = "maker.chat", ...options }: Asking = {},
): Promise<{ readonly call: AiSdkCallOptions; readonly warnings: readonly string[] }> {
  const supportedUrls = Promise.resolve({
    "image/*": [/^https:\/\/images\./],
    "application/pdf": [/^https:/],
  });
  const model = languageModel([ends[version]], { version, provider, supportedUrls });
  const { warnings } = await answerOf(model, request, options);
  const [call] = model.calls;
  if (!call) throw new Error("The model was not called.");
  const { abortSignal, ...rest } = call;
  expect(abortSignal).toBeInstanceOf(AbortSignal);
  return { call: rest, warnings };
}

const image: Part = { type: "image", url: "data:image/png;base64,AQID" };
const user: Message = { role: "user", content: "Hello" };

function calling(toolCallId: string, input = "{}"): Message {
  return {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId }],
    toolCalls: [{ toolCallId, toolName: "look", arguments: input }],
  };
}

function resultOf(toolCallId: string, content: readonly Part[], isError = false): Message {
  const outcome = isError ? "error" : "success";
  return { role: "tool", result: { toolCallId, toolName: "look", content, isError, outcome } };
}

describe("settings", () => {
  test("become the AI SDK's settings, or warnings if it has none", async () => {
    const { call, warnings } = await ask({
      settings: {
        temperature: 0.5,
        topP: 0.9,
        maxOutputTokens: 9,
        stopSequences: ["END"],
        seed: 7,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        reasoningEffort: "high",
        logprobs: true,
        providerOptions: { maker: { store: false }, loose: 1 },
      },
    });
    expect(call).toEqual({
      prompt: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 9,
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      stopSequences: ["END"],
      reasoning: "high",
      providerOptions: { maker: { store: false } },
    });
    expect(warnings).toEqual([
      "The AI SDK does not support logprobs: it is left out. Some providers accept it in providerOptions.",
      "providerOptions.loose must be in the group of a provider. Write { maker: { loose: ... } }.",
    ]);
  });

  test("that the provider has only as options of its own are warnings", async () => {
    const warnings = ["5m" as const, "auto" as const, false as const].map(
      async (cache) => (await ask({ settings: { cache } })).warnings,
    );
    expect(await Promise.all(warnings)).toEqual([
      ["The AI SDK does not support cache: it is left out. Some providers accept it in providerOptions."],
      [],
      [],
    ]);
  });

  test("that are new in V4 are warnings for older specifications", async () => {
    const { call, warnings } = await ask({ settings: { reasoningEffort: "low" } }, { version: "v3" });
    expect(call).not.toHaveProperty("reasoning");
    expect(warnings).toEqual([
      "Specification V3 does not support reasoningEffort: it is left out. Set it in providerOptions.maker.",
    ]);
  });
});

describe("tools", () => {
  const look = {
    name: "look",
    description: "Looks.",
    inputSchema: { type: "object", properties: {} },
  } as const;
  const spec = { type: "function", ...look };

  test("are sent with their JSON Schema unchanged, and the choice among them", async () => {
    const named = await ask({ tools: [look], toolChoice: { tool: "look" } });
    expect(named.call).toMatchObject({ tools: [spec], toolChoice: { type: "tool", toolName: "look" } });
    const required = await ask({ tools: [look], toolChoice: "required" });
    expect(required.call.toolChoice).toEqual({ type: "required" });
  });

  test("are sent in the provider's strict form, if the specification supports it", async () => {
    const properties = { city: { type: "string" }, days: { type: "integer" } };
    const tool = {
      name: "look",
      inputSchema: { type: "object", properties, required: ["city"] },
      strict: true,
    };
    const { call } = await ask({ tools: [tool] }, { provider: "openai.responses" });
    expect(call.tools).toMatchObject([{ strict: true, inputSchema: { required: ["city", "days"] } }]);
    expect((await ask({ tools: [tool] })).call.tools).toMatchObject([tool]);
    const before = await ask({ tools: [tool] }, { version: "v2" });
    expect(before.call.tools).toEqual([{ type: "function", name: "look", inputSchema: tool.inputSchema }]);
    expect(before.warnings).toEqual([
      "The tool look is sent without strict, which specification V2 does not support.",
    ]);
  });

  test.each([
    ["openai.chat", { openai: { store: false, parallelToolCalls: false } }],
    ["anthropic.messages", { openai: { store: false }, anthropic: { disableParallelToolUse: true } }],
    ["maker.chat", { openai: { store: false } }],
  ])("are called one at a time if %s supports it", async (provider, providerOptions) => {
    const settings = { providerOptions: { openai: { store: false } } };
    const { call, warnings } = await ask({ tools: [look], parallelToolCalls: false, settings }, { provider });
    expect(call.providerOptions).toEqual(providerOptions);
    expect(warnings).toHaveLength(provider === "maker.chat" ? 1 : 0);
  });

  test("that the provider executes are offered with them", async () => {
    const providerTools = { web_search: { id: "maker.web_search", args: { depth: 2 } } } as const;
    const own = { id: "maker.web_search", name: "web_search", args: { depth: 2 } };
    const { call } = await ask({ tools: [look] }, { providerTools });
    expect(call.tools).toEqual([{ type: "provider", ...own }, spec]);
    const before = await ask({}, { providerTools, version: "v2" });
    expect(before.call.tools).toEqual([{ type: "provider-defined", ...own }]);
  });

  test("of the history that the agent does not have are declared to Anthropic, which requires them", async () => {
    const messages = [user, calling("a"), resultOf("a", [{ type: "text", text: "18" }])];
    expect((await ask({ messages })).call).not.toHaveProperty("tools");
    const { call } = await ask({ messages }, { provider: "anthropic.messages" });
    expect(call).toMatchObject({ tools: [{ name: "look" }], toolChoice: { type: "none" } });
  });
});

describe("a typed output", () => {
  const schema = { type: "object", properties: { sum: { type: "number" } } };
  const output = { name: "Invoice", schema };

  test("is a call of a final tool, unless the model is known, or configured, to support output schemas", () => {
    const model = languageModel([], { provider: "openai.responses" });
    const free = { type: "object", additionalProperties: true };
    expect(fromAiSdk(model).supportsOutput?.(output)).toBe(false);
    const supported = { ...model, modelId: "gpt-5.2" };
    expect(fromAiSdk(supported).supportsOutput?.(output)).toBe(true);
    expect(fromAiSdk(supported, { structuredOutput: false }).supportsOutput?.(output)).toBe(false);
    expect(fromAiSdk(model, { structuredOutput: true }).supportsOutput?.(output)).toBe(true);
    expect(fromAiSdk(model, { structuredOutput: true }).supportsOutput?.({ ...output, schema: free })).toBe(
      false,
    );
  });

  test("is sent with its schema in the provider's form", async () => {
    const { call } = await ask({ output });
    expect(call.responseFormat).toEqual({ type: "json", name: "Invoice", schema });
    const strict = await ask({ output }, { provider: "openai.responses" });
    expect(strict.call.responseFormat).toMatchObject({
      schema: { required: ["sum"], additionalProperties: false },
    });
  });
});

describe("a history", () => {
  test("starts with one system message, and later ones become user messages", async () => {
    const { call } = await ask({
      instructions: "Be brief.",
      messages: [
        { role: "system", content: "Be kind." },
        { role: "assistant", content: [{ type: "text", text: "Hi." }], toolCalls: [] },
        { role: "user", content: "Hello" },
        { role: "system", content: "Now." },
      ],
    });
    expect(call.prompt).toEqual([
      { role: "system", content: "Be brief.\n\nBe kind." },
      { role: "user", content: [{ type: "text", text: "Continue." }] },
      { role: "assistant", content: [{ type: "text", text: "Hi." }] },
      {
        role: "user",
        content: [
          { type: "text", text: "Hello" },
          { type: "text", text: "<system>\nNow.\n</system>" },
        ],
      },
    ]);
  });

  test("has one result for each call, with unique ids, and says which calls have no result", async () => {
    const messages = [
      user,
      calling("a", '{"bird": crane}'),
      resultOf("a", [{ type: "text", text: "18" }]),
      calling("a", "[1]"),
      resultOf("a", [], true),
      calling("b", ""),
      user,
      resultOf("z", [{ type: "text", text: "late" }]),
    ];
    const call = (toolCallId: string, input: object): object => ({
      role: "assistant",
      content: [{ type: "tool-call", toolCallId, toolName: "look", input }],
    });
    const deep = `{"a":${"[".repeat(3_000)}${"]".repeat(3_000)}}`;
    expect((await ask({ messages: [user, calling("d", deep)] })).call.prompt).toContainEqual(
      // What is nested so deep would exhaust the stack of the AI SDK, now and in every later turn.
      call("d", { invalid_arguments: deep }),
    );
    const answer = (toolCallId: string, type: string, value: string): object => ({
      role: "tool",
      content: [{ type: "tool-result", toolCallId, toolName: "look", output: { type, value } }],
    });
    const open = "The conversation went on before look finished. It may or may not have taken effect.";
    expect((await ask({ messages })).call.prompt).toEqual([
      { role: "user", content: [{ type: "text", text: "Hello" }] },
      call("a", { invalid_arguments: '{"bird": crane}' }),
      answer("a", "text", "18"),
      call("a_2", { invalid_arguments: "[1]" }),
      answer("a_2", "error-text", "The tool failed."),
      call("b", {}),
      answer("b", "error-text", open),
      {
        role: "user",
        content: [
          { type: "text", text: "Hello" },
          { type: "text", text: "A result of look, whose call is not in this conversation:" },
          { type: "text", text: "late" },
        ],
      },
    ]);
  });

  test("has the images and files of a result, within the result if the provider supports that", async () => {
    const messages = [user, calling("a"), resultOf("a", [{ type: "text", text: "A photo." }, image])];
    const file = { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } };
    const inside = await ask({ messages }, { filesInResults: true });
    expect(inside.call.prompt.at(-1)).toMatchObject({
      content: [{ output: { type: "content", value: [{ type: "text", text: "A photo." }, file] } }],
    });
    const beside = await ask({ messages });
    expect(beside.call.prompt.slice(-2)).toMatchObject([
      { role: "tool", content: [{ output: { type: "text", value: "A photo." } }] },
      { role: "user", content: [{ type: "text", text: "Content that look (call a) returned:" }, file] },
    ]);
    const v3 = await ask({ messages }, { filesInResults: true, version: "v3" });
    expect(v3.call.prompt.at(-1)).toMatchObject({
      content: [{ output: { value: [{}, { type: "image-data", data: "AQID", mediaType: "image/png" }] } }],
    });
    const v2 = await ask({ messages }, { filesInResults: true, version: "v2" });
    expect(v2.call.prompt.at(-1)).toMatchObject({
      content: [{ output: { value: [{}, { type: "media", data: "AQID", mediaType: "image/png" }] } }],
    });
  });

  test("sends back what the provider wrote, and loses what another one wrote", async () => {
    const data = (metadata: object): object => ({ data: { metadata } });
    const parts = (provider: string): Message =>
      JSON.parse(
        JSON.stringify({
          role: "assistant",
          toolCalls: [{ toolCallId: "c", toolName: "look", arguments: "{}" }],
          content: [
            {
              type: "reasoning",
              text: "Hm",
              providerData: { provider, ...data({ maker: { signature: "S" } }) },
            },
            { type: "text", text: "Hi.", providerData: { provider, ...data({ maker: { itemId: "t" } }) } },
            { type: "image", url: "data:image/png;base64,AQID", providerData: { provider, ...data({}) } },
            {
              type: "provider",
              providerData: {
                provider,
                data: { type: "tool-result", toolCallId: "s", toolName: "search", result: [1] },
              },
            },
            {
              type: "provider",
              providerData: { provider, data: { type: "source", url: "https://a.example/" } },
            },
            {
              type: "tool-call",
              toolCallId: "c",
              providerData: { provider, ...data({ maker: { id: "f" } }) },
            },
          ],
        }),
      );
    const own = await ask({ messages: [user, parts("ai-sdk/maker.chat")] });
    expect(own.call.prompt[1]).toEqual({
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm", providerOptions: { maker: { signature: "S" } } },
        { type: "text", text: "Hi.", providerOptions: { maker: { itemId: "t" } } },
        { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
        { type: "tool-result", toolCallId: "s", toolName: "search", output: { type: "json", value: [1] } },
        {
          type: "tool-call",
          toolCallId: "c",
          toolName: "look",
          input: {},
          providerOptions: { maker: { id: "f" } },
        },
      ],
    });
    const other = await ask({ messages: [user, parts("anthropic")] });
    expect(other.call.prompt[1]).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "Hi.[image (image/png), which cannot be shown]" },
        { type: "tool-call", toolCallId: "c", toolName: "look", input: {} },
      ],
    });
    expect(other.warnings).toEqual([
      "maker.chat does not accept the image (image/png): a text describes it instead.",
    ]);
  });
});

describe("images and files", () => {
  async function sentPart(
    part: Part,
    options?: Asking,
  ): Promise<{ content: unknown; warnings: readonly string[] }> {
    const { call, warnings } = await ask({ messages: [{ role: "user", content: [part] }] }, options);
    return { content: Reflect.get(call.prompt[0] ?? {}, "content"), warnings };
  }

  test("are sent as content or by URL, in the form of each specification", async () => {
    const pdf: Part = { type: "file", url: "https://a.example/b.pdf", filename: "b.pdf" };
    const url = new URL(pdf.url);
    const head = { type: "file", mediaType: "application/pdf", filename: "b.pdf" };
    expect((await sentPart(pdf)).content).toEqual([{ ...head, data: { type: "url", url } }]);
    expect((await sentPart(pdf, { version: "v2" })).content).toEqual([{ ...head, data: url }]);
    const content = [{ type: "file", mediaType: "image/png", data: "AQID" }];
    expect((await sentPart(image, { version: "v3" })).content).toEqual(content);
    const plain: Part = { type: "image", url: "data:image/svg+xml,%3Csvg%2F%3E" };
    expect((await sentPart(plain)).content).toMatchObject([
      { mediaType: "image/svg+xml", data: { data: btoa("<svg/>") } },
    ]);
  });

  test("whose URL the model does not read are described in text, with a warning", async () => {
    expect(await sentPart({ type: "image", url: "https://elsewhere.example/a.png" })).toEqual({
      content: [
        {
          type: "text",
          text: "[image (image/png) at https://elsewhere.example/a.png, which cannot be shown]",
        },
      ],
      warnings: ["maker.chat does not accept the image (image/png): a text describes it instead."],
    });
  });

  test("with text are sent as text, unless the provider accepts such files", async () => {
    const notes: Part = { type: "file", url: `data:text/markdown;base64,${btoa("# Hi")}`, filename: "n.md" };
    expect(await sentPart(notes)).toEqual({
      content: [{ type: "text", text: '[file "n.md" (text/markdown)]\n# Hi' }],
      warnings: ['The file "n.md" (text/markdown) is sent to maker.chat as text.'],
    });
    const { content } = await sentPart(notes, { provider: "anthropic.messages" });
    expect(content).toMatchObject([{ type: "file", mediaType: "text/plain", data: { data: btoa("# Hi") } }]);
  });
});
