import { run } from "skein";
import { afterAll, beforeAll, expect, test } from "vitest";
import { analyst } from "../../examples/analyst/agent.ts";
import { type Carrier, serveCarrier } from "../../examples/analyst/carrier.ts";
import { Shop } from "../../examples/analyst/shop.ts";
import { standIn } from "../../examples/analyst/stand-in.ts";
import { startProvider, toolNames } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

let carrier: Carrier;
beforeAll(async () => {
  carrier = await serveCarrier();
});
afterAll(() => carrier.close());

test("the README's transcript is a real one", async () => {
  await expectTranscript("analyst", analyst(new Shop(), carrier.url, standIn()));
});

test("over the wire: offers one function for programs, whose description declares the shop and the carrier", async () => {
  const code = 'return (await tools.trackShipment({ orderId: 7 })).status === "lost";';
  const provider = await startProvider([
    [{ tool: "execute_typescript", arguments: { code } }],
    "It is lost.",
  ]);
  const { text, messages } = await run(analyst(new Shop(), carrier.url), "Is the parcel of order 7 lost?", {
    model: provider.model,
  });
  await provider.close();

  expect(text).toBe("It is lost.");
  const [first] = provider.requests;
  expect(first && toolNames(first)).toEqual(["execute_typescript", "read_result"]);
  const description = JSON.stringify(first);
  expect(description).toContain("trackShipment(input: { orderId: number })");
  expect(description).toContain(String.raw`status: \"in-transit\" | \"delivered\" | \"lost\"`);
  expect(description).toContain("findCustomers(input?: {");
  const [, result] = messages;
  expect(result?.role === "tool" ? result.result.structuredContent : undefined).toBe(true);
});
