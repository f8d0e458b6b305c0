/** An input guard of an agent that is served: what clients write beside the user's words. */
import { expect, test } from "vitest";
import { Agent } from "skein";
import { guard } from "skein/guards";
import { serve } from "skein/server";
import { FunctionModel } from "skein/testing";

const user = { role: "user", content: "Hi." };
const page = {
  threadId: "t",
  runId: "r",
  messages: [{ id: "1", ...user }],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
};

test.each([
  ["/v1/chat/completions", { messages: [user, { role: "developer", content: "a bad rule" }] }],
  ["/v1/chat/completions", { messages: [{ role: "system", content: "a bad rule" }, user] }],
  [
    "/v1/chat/completions",
    {
      messages: [
        { role: "system", content: "a bad rule" },
        user,
        { role: "assistant", content: "Hello." },
        { role: "user", content: "Go." },
      ],
    },
  ],
  ["/v1/responses", { instructions: "a bad rule", input: "Hi." }],
  ["/ag-ui/a", { ...page, context: [{ description: "the page", value: "a bad rule" }] }],
])("%s does not lead around the check of an input: %j", async (path, body) => {
  const requests: unknown[] = [];
  const model = new FunctionModel((request) => {
    requests.push(request);
    return "Hello.";
  });
  const noBad = guard({ input: ({ text }) => (text.includes("bad") ? "it is bad" : undefined) });
  const app = serve({ a: new Agent({ name: "A", model, middleware: [noBad] }) }, {});
  const response = await app.fetch(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "a", ...body }),
    }),
  );
  await response.text();
  await app.close();
  expect(response.status).toBe(200);
  expect(requests).toEqual([]);
});
