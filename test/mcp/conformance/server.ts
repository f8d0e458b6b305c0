/**
 * The server that the official conformance suite is run against, made with `serveMcp` alone: what it offers has the names that
 * the suite asks for. `node --import ./test/from-source.ts test/mcp/conformance/server.ts [PORT]` prints its address.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { tool, result, type ToolContext } from "skein";
import {
  mcpContent,
  mcpRequest,
  serveMcp,
  type McpElicitation,
  type McpPrompt,
  type McpResource,
  type McpServing,
} from "skein/mcp";

/** One red pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** No sound at all. */
const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const image = { type: "image" as const, url: `data:image/png;base64,${png}` };

/** A schema with text properties, all of them required. */
function form(...names: readonly string[]): McpElicitation["schema"] {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { type: "object", properties, required: [...names] };
}

/** Gives back a text. */
function test_simple_text(): string {
  return "This is a simple text response for testing.";
}

/** Gives back an image. */
function test_image_content(): unknown {
  return result({ content: [image] });
}

/** Gives back a sound. */
function test_audio_content(): unknown {
  return result({ content: [{ type: "file", url: `data:audio/wav;base64,${wav}` }] });
}

/** Gives back a resource. */
function test_embedded_resource(): unknown {
  const text = "This is an embedded resource content.";
  const resource = { uri: "test://embedded-resource", mimeType: "text/plain", text };
  return result({ content: [mcpContent({ type: "resource", resource })] });
}

/** Gives back content of several kinds. */
function test_multiple_content_types(): unknown {
  const text = JSON.stringify({ test: "data", value: 123 });
  const resource = { uri: "test://mixed-content-resource", mimeType: "application/json", text };
  return result({
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      mcpContent({ type: "resource", resource }),
    ],
  });
}

/** Always fails. */
function test_error_handling(): never {
  throw new Error("This tool intentionally returns an error for testing");
}

/** Writes to the client's log. */
async function test_tool_with_logging(context: ToolContext): Promise<string> {
  const request = mcpRequest(context);
  for (const line of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
    request.log("info", line);
    await sleep(50);
  }
  return "Logged three lines.";
}

/** Says how far it is. */
async function* test_tool_with_progress(): AsyncGenerator<object, string> {
  for (const progress of [0, 50, 100]) {
    yield { progress, total: 100, message: `Completed step ${progress} of 100` };
    await sleep(50);
  }
  return "Done.";
}

/**
 * Asks the client's model.
 * @param prompt - What to ask
 */
async function test_sampling(prompt: string, context: ToolContext): Promise<string> {
  const { text } = await mcpRequest(context).sample("answer", { messages: prompt, maxTokens: 100 });
  return `LLM response: ${text}`;
}

/**
 * Asks the client's user.
 * @param message - What to ask
 */
async function test_elicitation(message: string, context: ToolContext): Promise<string> {
  const answer = await mcpRequest(context).elicit("user", { message, schema: form("username", "email") });
  return `User response: action=${answer.action}, content=${JSON.stringify(answer.content)}`;
}

/** Asks the client's user, with defaults of every type. */
async function test_elicitation_sep1034_defaults(context: ToolContext): Promise<string> {
  const properties = {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  };
  return completed(context, "Please review the form", { type: "object", properties, required: [] });
}

/** Asks the client's user to choose, in every way there is. */
async function test_elicitation_sep1330_enums(context: ToolContext): Promise<string> {
  const titled = [
    { const: "value1", title: "First Option" },
    { const: "value2", title: "Second Option" },
    { const: "value3", title: "Third Option" },
  ];
  const options = ["option1", "option2", "option3"];
  const legacy = ["opt1", "opt2", "opt3"];
  const properties = {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: { type: "string", enum: legacy, enumNames: ["Option One", "Option Two", "Option Three"] },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  };
  return completed(context, "Please choose", { type: "object", properties, required: [] });
}

async function completed(
  context: ToolContext,
  message: string,
  schema: McpElicitation["schema"],
): Promise<string> {
  const { action, content } = await mcpRequest(context).elicit("form", { message, schema });
  return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
}

/** Asks for the user's name. */
async function test_input_required_result_elicitation(context: ToolContext): Promise<string> {
  const question = { message: "What is your name?", schema: form("name") };
  const { content } = await mcpRequest(context).elicit("user_name", question);
  return `Hello, ${String(content?.["name"])}!`;
}

/** Asks the client's model for a capital. */
async function test_input_required_result_sampling(context: ToolContext): Promise<string> {
  const question = { messages: "What is the capital of France?", maxTokens: 100 };
  return (await mcpRequest(context).sample("capital_question", question)).text;
}

/** Asks for the client's roots. */
async function test_input_required_result_list_roots(context: ToolContext): Promise<string> {
  const roots = await mcpRequest(context).roots("client_roots");
  return `Roots: ${roots.map(({ uri }) => uri).join(", ")}`;
}

/** Asks for a confirmation. */
async function test_input_required_result_request_state(context: ToolContext): Promise<string> {
  return (await confirmed(context)) ? "state-ok" : "not confirmed";
}

/** Asks for a confirmation that cannot be forged. */
async function test_input_required_result_tampered_state(context: ToolContext): Promise<string> {
  return (await confirmed(context)) ? "confirmed" : "not confirmed";
}

async function confirmed(context: ToolContext): Promise<boolean> {
  const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
  const { content } = await mcpRequest(context).elicit("confirm", { message: "Please confirm", schema });
  return content?.["ok"] === true;
}

/** Asks for everything at once. */
async function test_input_required_result_multiple_inputs(context: ToolContext): Promise<string> {
  const request = mcpRequest(context);
  const [user, greeting, roots] = await Promise.all([
    request.elicit("user_name", { message: "What is your name?", schema: form("name") }),
    request.sample("greeting", { messages: "Generate a greeting", maxTokens: 50 }),
    request.roots("client_roots"),
  ]);
  return `${greeting.text} ${String(user.content?.["name"])}, with ${roots.length} roots`;
}

/** Asks one thing after the other. */
async function test_input_required_result_multi_round(context: ToolContext): Promise<string> {
  const request = mcpRequest(context);
  const first = await request.elicit("step1", {
    message: "Step 1: What is your name?",
    schema: form("name"),
  });
  const second = await request.elicit("step2", {
    message: "Step 2: What is your favorite color?",
    schema: form("color"),
  });
  return `${String(first.content?.["name"])} likes ${String(second.content?.["color"])}`;
}

/** Asks only for what the client can be asked for. */
async function test_input_required_result_capabilities(context: ToolContext): Promise<string> {
  const request = mcpRequest(context);
  const questions: Promise<unknown>[] = [];
  if (request.can.elicit)
    questions.push(request.elicit("user", { message: "Your name?", schema: form("name") }));
  if (request.can.sample)
    questions.push(request.sample("greeting", { messages: "Say hello", maxTokens: 50 }));
  return `${(await Promise.all(questions)).length} answers`;
}

/** Asks the client's model, whether it has one or not. */
async function test_missing_capability(context: ToolContext): Promise<string> {
  return (await mcpRequest(context).sample("greeting", { messages: "Say hello", maxTokens: 50 })).text;
}

/** Says how far it is, then asks the client's user. */
async function* test_streaming_elicitation(context: ToolContext): AsyncGenerator<string, string> {
  yield "Asking";
  return await completed(context, "Please fill this in", form("name"));
}

/** Writes a line to the client's log. */
function test_logging_tool(context: ToolContext): string {
  mcpRequest(context).log("info", "A line");
  return "Logged one line.";
}

/** Says that the tools have changed. */
function test_trigger_tool_change(): string {
  serving.toolsChanged();
  return "Told all clients.";
}

/** Says that the prompts have changed. */
function test_trigger_prompt_change(): string {
  serving.promptsChanged();
  return "Told all clients.";
}

const schemaTool = tool({
  name: "json_schema_2020_12_tool",
  description: "Tool with JSON Schema 2020-12 features",
  input: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
  execute: (input) => input,
});

const resources: readonly McpResource[] = [
  {
    uri: "test://static-text",
    name: "Static text",
    description: "A text that stays as it is",
    mimeType: "text/plain",
    read: () => "This is the content of the static text resource.",
  },
  {
    uri: "test://static-binary",
    name: "Static image",
    description: "An image that stays as it is",
    mimeType: "image/png",
    read: () => new Uint8Array(Buffer.from(png, "base64")),
  },
  {
    uri: "test://watched-resource",
    name: "Watched text",
    description: "A text to subscribe to",
    mimeType: "text/plain",
    read: () => "Watched resource content",
  },
  {
    uri: "test://template/{id}/data",
    name: "Data by id",
    description: "Data of an id",
    mimeType: "application/json",
    read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  },
];

const prompts: readonly McpPrompt[] = [
  {
    name: "test_simple_prompt",
    description: "A prompt without arguments",
    get: () => "This is a simple prompt for testing.",
  },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt with arguments",
    arguments: [
      {
        name: "arg1",
        description: "First test argument",
        required: true,
        complete: (value) => ["paris", "park", "party"].filter((word) => word.startsWith(value)),
      },
      { name: "arg2", description: "Second test argument", required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt with a resource in it",
    arguments: [{ name: "resourceUri", description: "URI of the resource to embed", required: true }],
    get: ({ resourceUri = "" }) => {
      const text = "Embedded resource content for testing.";
      const resource = { uri: resourceUri, mimeType: "text/plain", text };
      const content = [
        mcpContent({ type: "resource", resource }),
        { type: "text" as const, text: "Please process the embedded resource above." },
      ];
      return [{ role: "user", content }];
    },
  },
  {
    name: "test_prompt_with_image",
    description: "A prompt with an image in it",
    get: () => [
      { role: "user", content: [image, { type: "text", text: "Please analyze the image above." }] },
    ],
  },
  {
    name: "test_input_required_result_prompt",
    description: "A prompt that asks the user first",
    get: async (_args, request) => {
      const question = { message: "What context should the prompt use?", schema: form("context") };
      const { content } = await request.elicit("user_context", question);
      return `In the context of ${String(content?.["context"])}`;
    },
  },
];

const serving: McpServing = await serveMcp(
  {
    name: "skein-conformance",
    version: "1.0.0",
    tools: [
      test_simple_text,
      test_image_content,
      test_audio_content,
      test_embedded_resource,
      test_multiple_content_types,
      test_error_handling,
      test_tool_with_logging,
      test_tool_with_progress,
      test_sampling,
      test_elicitation,
      test_elicitation_sep1034_defaults,
      test_elicitation_sep1330_enums,
      test_input_required_result_elicitation,
      test_input_required_result_sampling,
      test_input_required_result_list_roots,
      test_input_required_result_request_state,
      test_input_required_result_tampered_state,
      test_input_required_result_multiple_inputs,
      test_input_required_result_multi_round,
      test_input_required_result_capabilities,
      test_missing_capability,
      test_streaming_elicitation,
      test_logging_tool,
      test_trigger_tool_change,
      test_trigger_prompt_change,
      schemaTool,
    ],
    resources,
    prompts,
  },
  { transport: { http: { port: Number(process.argv[2] ?? 0) } } },
);
process.stdout.write(`${serving.url}\n`);
