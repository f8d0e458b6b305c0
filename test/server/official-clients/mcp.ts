import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { OfficialClient, Question } from "./client.ts";

/** The official MCP client: an agent is a tool that takes a text, and a person decides while the call is made. */
export const mcp: OfficialClient = {
  name: "@modelcontextprotocol/client",
  lacks: ["edit", "image", "resume", "typed output"],
  async connect(url) {
    const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: {} } });
    let verdict: Question["verdict"];
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept",
      content: { approve: verdict === "approve" },
    }));
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    return {
      ask: async (question) => {
        ({ verdict } = question);
        const { content, isError } = await client.callTool({
          name: "desk",
          arguments: { input: question.text },
        });
        const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
        if (isError) throw new Error(text);
        return text;
      },
      askAndStop: async ({ text }, spoken) => {
        const stopping = new AbortController();
        const request = { name: "desk", arguments: { input: text } };
        const call = client.callTool(request, { signal: stopping.signal });
        await spoken;
        stopping.abort();
        await call.catch(() => {});
      },
    };
  },
};
