/** MCP servers whose tools have pages, and an agent that calls them. */
import { Agent, result, tool } from "skein";
import { mcp, serveMcp, type McpAppSettings, type McpToolset } from "skein/mcp";
import { FunctionModel } from "skein/testing";
import { onTestFinished } from "vitest";

/** Where the page of the tool `weather` is. */
export const resourceUri = "ui://weather/view.html";

/** A server of Skein's own with a tool whose calls a page shows, over HTTP until the test is over. */
export async function weatherServer(html: string, ui: McpAppSettings = {}): Promise<McpToolset> {
  const weather = tool({
    name: "weather",
    input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    ui: { resourceUri },
    execute: ({ city }: { readonly city: string }) =>
      result({
        content: `18 degrees in ${city}.`,
        value: { city, degrees: 18 },
        meta: { icon: "sun" },
      }),
  });
  const page = { uri: resourceUri, ui, read: () => html };
  const serving = await serveMcp(
    { tools: [weather], resources: [page] },
    { transport: { http: { port: 0 } } },
  );
  onTestFinished(() => serving.close());
  const tools = mcp({ name: "weather", url: serving.url ?? "" });
  onTestFinished(() => tools.close());
  return tools;
}

/** An agent that calls the tool of its name once. */
export function guide(
  tools: NonNullable<ConstructorParameters<typeof Agent>[0]["tools"]>,
  toolName = "weather",
): Agent {
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? {
          toolCalls: [
            { toolName, arguments: toolName === "weather" ? { city: "Paris" } : { input: "Paris" } },
          ],
        }
      : "It is warm.",
  );
  return new Agent({ name: "Guide", model, tools });
}
