import { run } from "skein";
import { expect, test } from "vitest";
import { petShopAgent } from "../../examples/openapi/agent.ts";
import { openShop, serveShop } from "../../examples/openapi/server.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

test("the README's transcript is a real one", async () => {
  const served = await serveShop(openShop());
  await expectTranscript("openapi", petShopAgent(served.url));
  served.close();
});

test("over the wire: offers operations as functions, and passes answers and refusals on", async () => {
  const served = await serveShop(openShop());
  const provider = await startProvider([
    [
      { tool: "getPet", arguments: { petId: 3 } },
      { tool: "getPet", arguments: { petId: 99 } },
      { tool: "listPets", arguments: { kind: "fish" } },
    ],
    "Polly costs 90 euros.",
  ]);
  const { text } = await run(petShopAgent(served.url), "What do pets 3 and 99 cost?", {
    model: provider.model,
  });
  await provider.close();
  served.close();

  expect(text).toBe("Polly costs 90 euros.");
  const [first, second] = provider.requests;
  expect(first && toolNames(first)).toEqual([
    "listPets",
    "addPet",
    "getPet",
    "removePet",
    "updatePet",
    "listVaccinations",
    "addVaccination",
    "countPets",
    "findCustomers",
    "addCustomer",
    "getCustomer",
    "listOrders",
    "placeOrder",
    "getOrder",
    "cancelOrder",
    "read_result",
  ]);
  expect(first?.tools?.[1]).toEqual({
    type: "function",
    function: {
      name: "addPet",
      description: expect.stringContaining("Add a pet that the shop has got"),
      parameters: {
        type: "object",
        properties: { body: { $ref: "#/$defs/Pet" } },
        required: ["body"],
        additionalProperties: false,
        $defs: {
          Kind: { type: "string", enum: ["dog", "cat", "parrot", "rabbit"] },
          Pet: {
            type: "object",
            properties: {
              name: { type: "string", minLength: 1 },
              kind: { $ref: "#/$defs/Kind" },
              price: { type: "number", minimum: 0, description: "In euros" },
            },
            required: ["name", "kind", "price"],
          },
        },
      },
    },
  });
  expect(second && told(second).slice(3)).toEqual([
    ["tool", expect.stringContaining('"name":"Polly"')],
    ["tool", expect.stringContaining("there is no pet 99")],
    ["tool", expect.stringContaining('received "fish"')],
  ]);
});
