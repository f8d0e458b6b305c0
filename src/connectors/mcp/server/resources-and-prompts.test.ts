import { describe, expect, test } from "vitest";
import { connectClient, connected, newClient, revisions, served } from "./test-clients.ts";
import type { McpPrompt, McpResource } from "./types.ts";

const resources: readonly McpResource[] = [
  { uri: "notes://all", name: "All", mimeType: "text/markdown", read: () => "# All" },
  { uri: "notes://logo", mimeType: "image/png", read: () => new Uint8Array([0, 255, 16]) },
  {
    uri: "notes://{day}/{part}",
    name: "Part of a day",
    mimeType: "text/plain",
    list: () => [{ uri: "notes://monday/morning", name: "Monday morning" }],
    complete: { day: (value) => ["monday", "tuesday"].filter((day) => day.startsWith(value)) },
    read: ({ day, part }) => [{ content: `${day}, ${part}` }, { uri: "notes://all", content: "see also" }],
  },
];

const prompts: readonly McpPrompt[] = [
  {
    name: "review",
    description: "Reviews code.",
    arguments: [
      {
        name: "language",
        required: true,
        complete: (value, given) => [`${value}script`, given["other"] ?? ""],
      },
      { name: "style" },
    ],
    get: ({ language, style = "short" }) => [
      { role: "user", content: `Review ${language}, ${style}` },
      { role: "assistant", content: [{ type: "text", text: "Send it." }] },
    ],
  },
];

describe.each(revisions)("revision %s", (revision) => {
  test("resources are listed and read, as text, as bytes and by template", async () => {
    const { url } = await served({ resources });
    const { client } = await connected(url, revision);
    expect((await client.listResources()).resources).toEqual([
      { uri: "notes://all", name: "All", mimeType: "text/markdown" },
      { uri: "notes://logo", name: "notes://logo", mimeType: "image/png" },
      { uri: "notes://monday/morning", name: "Monday morning", mimeType: "text/plain" },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([
      { uriTemplate: "notes://{day}/{part}", name: "Part of a day", mimeType: "text/plain" },
    ]);
    expect((await client.readResource({ uri: "notes://all" })).contents).toEqual([
      { uri: "notes://all", mimeType: "text/markdown", text: "# All" },
    ]);
    expect((await client.readResource({ uri: "notes://logo" })).contents).toEqual([
      { uri: "notes://logo", mimeType: "image/png", blob: "AP8Q" },
    ]);
    expect((await client.readResource({ uri: "notes://friday/noon" })).contents).toEqual([
      { uri: "notes://friday/noon", mimeType: "text/plain", text: "friday, noon" },
      { uri: "notes://all", mimeType: "text/plain", text: "see also" },
    ]);
  });

  test("an unknown resource is an error that names it", async () => {
    const { url } = await served({ resources });
    const { client } = await connected(url, revision);
    await expect(client.readResource({ uri: "notes://nothing" })).rejects.toMatchObject({
      code: -32_602,
      data: { uri: "notes://nothing" },
    });
  });

  test("prompts are listed, and filled with arguments", async () => {
    const { url } = await served({ prompts });
    const { client } = await connected(url, revision);
    expect((await client.listPrompts()).prompts).toEqual([
      {
        name: "review",
        description: "Reviews code.",
        arguments: [{ name: "language", required: true }, { name: "style" }],
      },
    ]);
    const filled = await client.getPrompt({ name: "review", arguments: { language: "Rust" } });
    expect(filled.messages).toEqual([
      { role: "user", content: { type: "text", text: "Review Rust, short" } },
      { role: "assistant", content: { type: "text", text: "Send it." } },
    ]);
  });

  test("an unknown prompt, or one that misses an argument, is an error that names it", async () => {
    const { url } = await served({ prompts });
    const { client } = await connected(url, revision);
    await expect(client.getPrompt({ name: "toString" })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.getPrompt({ name: "review", arguments: {} })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining("language"),
    });
  });

  test("arguments of prompts and variables of templates are completed", async () => {
    const { url } = await served({ prompts, resources });
    const { client } = await connected(url, revision);
    const prompt = { type: "ref/prompt" as const, name: "review" };
    const completed = await client.complete({
      ref: prompt,
      argument: { name: "language", value: "type" },
      context: { arguments: { other: "go" } },
    });
    expect(completed.completion).toEqual({ values: ["typescript", "go"], total: 2, hasMore: false });
    const none = await client.complete({ ref: prompt, argument: { name: "style", value: "" } });
    expect(none.completion.values).toEqual([]);
    const template = { type: "ref/resource" as const, uri: "notes://{day}/{part}" };
    const days = await client.complete({ ref: template, argument: { name: "day", value: "t" } });
    expect(days.completion.values).toEqual(["tuesday"]);
    await expect(
      client.complete({ ref: template, argument: { name: "year", value: "" } }),
    ).rejects.toMatchObject({ code: -32_602 });
  });

  test("a prompt may ask the user first", async () => {
    const schema = { type: "object", properties: { tone: { type: "string" } }, required: ["tone"] };
    const letter: McpPrompt = {
      name: "letter",
      get: async (_args, request) => {
        const { content } = await request.elicit("tone", { message: "Which tone?", schema });
        return `Write a ${String(content?.["tone"])} letter`;
      },
    };
    const { url } = await served({ prompts: [letter] });
    const client = newClient(revision, { capabilities: { elicitation: {} } });
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { tone: "warm" } }));
    await connectClient(client, url);
    const { messages } = await client.getPrompt({ name: "letter" });
    expect(messages).toMatchObject([{ content: { text: "Write a warm letter" } }]);
  });
});

test("subscribers hear of the resources that they subscribed to, and of no others", async () => {
  const { url, resourceUpdated } = await served({ resources });
  const { client } = await connected(url);
  const heard: string[] = [];
  const told = Promise.withResolvers<void>();
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    heard.push(params.uri);
    told.resolve();
  });
  await client.subscribeResource({ uri: "notes://all" });
  // The stream that brings it opens after the connection.
  const again = setInterval(() => {
    resourceUpdated("notes://logo");
    resourceUpdated("notes://all");
  }, 20);
  await told.promise;
  clearInterval(again);
  expect(new Set(heard)).toEqual(new Set(["notes://all"]));
});

test("two resources of one address, and two prompts of one name, are a mistake", async () => {
  const [first] = resources;
  const [prompt] = prompts;
  await expect(served({ resources: [first, first].filter((each) => each !== undefined) })).rejects.toThrow(
    "notes://all",
  );
  await expect(served({ prompts: [prompt, prompt].filter((each) => each !== undefined) })).rejects.toThrow(
    "same name",
  );
});
