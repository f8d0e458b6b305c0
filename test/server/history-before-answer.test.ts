import { Agent } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { openServer } from "./open-server.ts";

test("a page that is loaded before its run has begun shows the question", async () => {
  const model = new FunctionModel(() => "Hi.");
  const { url } = await openServer({ desk: new Agent({ name: "Desk", model }) }, { work: false });
  await fetch(`${url}/runs/desk`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input: "Hello", session: "s1" }),
  });
  const { messages } = await (await fetch(`${url}/sessions/s1`)).json();
  expect(messages).toEqual([{ role: "user", content: "Hello" }]);
  const chat = await (await fetch(`${url}/chat/desk/s1`)).json();
  expect(chat).toMatchObject({ isWorking: true, messages: [{ role: "user", parts: [{ text: "Hello" }] }] });
});
